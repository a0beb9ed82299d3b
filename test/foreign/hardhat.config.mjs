// Hardhat starts only if it finds this file. It contains only defaults.
export default {};
