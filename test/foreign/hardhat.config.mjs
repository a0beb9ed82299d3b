// Hardhat starts only if it finds this configuration file, which keeps all defaults.
export default {};
