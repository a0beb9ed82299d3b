import { compileAll } from './contract.mts';

await compileAll();
