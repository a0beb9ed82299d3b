// What a user meets first, for `bash .ci/run quick`: the packages are there, an action of each node, a trigger, the forms
// of the credentials, and the first example. `e2e.test.mts` is all of it.
import './quickly.mts';
import './world.mts';
import './examples.mts';
import './loading.mts';
import './operations.mts';
import './credentials.mts';
import './browser/forms.mts';
import './triggers.mts';
