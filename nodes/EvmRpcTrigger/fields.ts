import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { events } from './events';
import { options } from './options';

export const [event, ...ownFields] = eventFields(events, 'newBlock');

export const fields = [authentication, event, ...ownFields, options];
