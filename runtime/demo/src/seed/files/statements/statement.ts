import { formatAmount } from "./amount";

export interface Line {
  readonly bookedOn: string;
  readonly text: string;
  readonly minorUnits: bigint;
}

/** The lines of a statement, newest first, with a running balance. */
export function withBalance(lines: readonly Line[], opening: bigint): string[] {
  let balance = opening;
  return lines
    .map((line) => {
      balance += line.minorUnits;
      return `${line.bookedOn}  ${line.text}  ${formatAmount(balance)}`;
    })
    .reverse();
}
