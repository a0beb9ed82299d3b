import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { restOptions } from '../core/operation/transportOptions';
import { events } from './events';

export const [event, ...ownFields] = eventFields(events, 'payment');

export const fields = [authentication, event, ...ownFields, restOptions()];
