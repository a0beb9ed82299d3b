// This variable makes modules that are imported later skip thorough tests, which only `.ci/run all` runs.
process.env.CHAIN_INFRA_BASICS = 'true';
