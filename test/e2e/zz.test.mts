import './world.mts';
import './browser/triggers.mts';
