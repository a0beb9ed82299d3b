import { createSandbox } from '../../../../test/harness/sandbox.mts';
import { testPairs } from './suite.mts';

testPairs(createSandbox({ chain: true }), 'witness');
