// Modules that are imported after this one leave thorough tests to `.ci/run all`.
process.env.CHAIN_INFRA_BASICS = 'true';
