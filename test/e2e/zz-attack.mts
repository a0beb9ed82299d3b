import './world.mts';
import './signer.mts';
