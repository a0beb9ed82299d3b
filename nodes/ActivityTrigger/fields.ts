import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { EVENTS } from './events';
import { triggerOptions } from './options';
import { value } from './value';

export const [event, ...ownFields] = eventFields({ ...EVENTS, value }, 'newBlock');

export const fields = [authentication, event, ...ownFields, triggerOptions];
