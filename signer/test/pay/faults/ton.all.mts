import { createSandbox } from '../../../../test/harness/sandbox.mts';
import { testFaults } from './suite.mts';

testFaults(createSandbox({ chain: true }), 'ton');
