import { eventFields } from '../core/operation/panel';
import { authentication } from '../core/operation/sharedFields';
import { events } from './events';
import { options } from './options';
import { value } from './value';

export const [event, ...ownFields] = eventFields({ ...events, value }, 'newBlock');

export const fields = [authentication, event, ...ownFields, options];
