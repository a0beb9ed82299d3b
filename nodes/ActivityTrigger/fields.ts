import { eventFields } from '../core/operation/panel/eventMenu';
import { authentication } from '../core/operation/sharedFields';
import { events } from './events/menu';
import { options } from './options';

export const [event, ...ownFields] = eventFields(events, 'newBlock');

export const fields = [authentication, event, ...ownFields, options];
