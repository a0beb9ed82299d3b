// Modules that are imported after this one leave thorough tests to the full run.
process.env.CHAIN_INFRA_QUICK = 'true';
