// These tests may run beside those in test/e2e: their n8n has a folder of its own.
process.env.CHAIN_INFRA_TESTS = 'queue';
