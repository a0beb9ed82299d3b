// One file for the test runner, because all tests share one n8n and one sandbox.
import './world.mts';
import './examples.mts';
import './loading.mts';
import './operations.mts';
import './activation.mts';
import './quiet.mts';
import './credentials.mts';
import './httpRequest.mts';
import './linking.mts';
import './failures.mts';
import './tools.mts';
import './browser/search.mts';
import './browser/editing.mts';
import './browser/forms.mts';
import './triggers.mts';
import './afterwards.mts';
