/** What a user can mend: shown as the sentence it is, without a stack. */
export class Trouble extends Error {}
