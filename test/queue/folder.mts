// The n8n of these tests has a folder of its own, because the tests in test/e2e may run at the same time.
process.env.CHAIN_INFRA_TESTS = 'queue';
