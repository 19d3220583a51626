/** Names that are no one's, each another one: syllables by the digits of the number. */
const syllables = [
  ...['ba', 'de', 'fi', 'go', 'hu', 'ja', 'ke', 'li', 'mo', 'nu'],
  ...['pa', 're', 'si', 'to', 'vu', 'wa', 'ye', 'zi', 'cho', 'shu'],
];
const nameOf = (index: number) => {
  let text = '';
  for (
    let left = index + syllables.length ** 2;
    left > 0;
    left = Math.floor(left / syllables.length)
  )
    text += syllables[left % syllables.length]!;
  return text[0]!.toUpperCase() + text.slice(1);
};

/**
 * A lease sheet as CSV of `count` rentals of invented tenants, always the same; one in five owes,
 * one in twenty has a credit, and every tenth tenant has the next unit too.
 */
export function manyLeases(count: number): string {
  const rows = ['Unit,Type,Size,Tenant,Move In,Paid Thru,Rent,Balance,Email'];
  for (let index = 0; index < count; index += 1) {
    const tenant = index % 10 === 1 ? index - 1 : index;
    const balance = index % 5 === 0 ? 200 : index % 20 === 1 ? -15 : 0;
    const paid = balance > 0 ? '10/31/2026' : '11/30/2026';
    const moved = `${(index % 12) + 1}/${(index % 28) + 1}/2024`;
    rows.push(
      `M${index},RV,12x40,${nameOf(tenant)} Lee,${moved},${paid},200,${balance},t${tenant}@many.example`,
    );
  }
  return rows.join('\n');
}

// node server/test/many-leases.ts 100000 > leases.csv
if (import.meta.main) process.stdout.write(manyLeases(Number(process.argv[2] ?? 100_000)));
