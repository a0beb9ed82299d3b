// Those that are imported after this one leave what is thorough to the full ring.
process.env.CHAIN_INFRA_QUICK = 'true';
