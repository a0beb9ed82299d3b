import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { EVENTS } from './events';
import { triggerOptions } from './options';

export const [event, ...ownFields] = eventFields(EVENTS, 'newBlock');

export const fields = [authentication, event, ...ownFields, triggerOptions];
