import '../e2e/world.mts';
import '../e2e/operations.mts';
import './workers.mts';
import './limits.mts';
import './killed.mts';
import './kills.mts';
