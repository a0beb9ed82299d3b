// This file runs the basic checks of `bash .ci/run`: installed packages, an action of each node, a trigger, credential
// forms, and the first example.
// `e2e.test.mts` runs everything in `bash .ci/run all`.
import './basicsMode.mts';
import './world.mts';
import './examples.mts';
import './loading.mts';
import './operations.mts';
import './credentials.mts';
import './browser/forms.mts';
import './triggers.mts';
