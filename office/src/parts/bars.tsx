import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { useTheme } from '@mui/material';
import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

export type BarsProps = {
  rows: Record<string, string | number>[];
  /** The columns of the bars' names and heights; rows of one name are added up. */
  label: string;
  value: string;
  isMoney: boolean;
};

/** Bars next to a table that has the same figures. A chunk of its own, for the library's size. */
export default function Bars({ rows, label, value, isMoney }: BarsProps) {
  const { palette } = useTheme();
  const data = [...Map.groupBy(rows, (row) => String(row[label]))].map(([name, own]) => ({
    name,
    sum: sumDollars(own.map((row) => Number(row[value]))),
  }));
  const words = (sum: number) => (isMoney ? formatMoney(sum) : String(sum));
  return (
    <div aria-hidden style={{ width: '100%', height: 240 }}>
      <ResponsiveContainer>
        <BarChart data={data}>
          <XAxis dataKey="name" tick={{ fill: palette.text.secondary }} />
          <YAxis width={90} tickFormatter={words} tick={{ fill: palette.text.secondary }} />
          <Tooltip
            formatter={(sum) => words(Number(sum))}
            contentStyle={{ background: palette.background.paper, color: palette.text.primary }}
          />
          <Bar dataKey="sum" fill={palette.secondary.main} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
