import { compileFile, listContractFiles } from './contract.mts';

for (const file of listContractFiles()) await compileFile(file);
