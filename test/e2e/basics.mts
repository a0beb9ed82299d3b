// The basic checks of `bash .ci/run`: the packages are installed, an action of each node, a trigger, the forms
// of the credentials, and the first example. `e2e.test.mts` runs everything, in `bash .ci/run all`.
import './basicsMode.mts';
import './world.mts';
import './examples.mts';
import './loading.mts';
import './operations.mts';
import './credentials.mts';
import './browser/forms.mts';
import './triggers.mts';
