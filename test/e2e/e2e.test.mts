// One file for the test runner, because all tests share one n8n and one sandbox.
import './world.mts';
import './examples.mts';
import './loading.mts';
import './operations.mts';
import './credentials.mts';
import './httpRequest.mts';
import './settings.mts';
import './tools.mts';
import './activation.mts';
import './browser/search.mts';
import './browser/editing.mts';
import './browser/forms.mts';
import './afterwards.mts';
