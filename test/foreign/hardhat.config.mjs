// Hardhat starts only where it finds one. All of it is as hardhat has it.
export default {};
