const { token, currentTenantId, locationCode } = JSON.parse(localStorage.getItem('gatehouse'));
const headers = { authorization: `Bearer ${token}` };
void fetch(
  `/api/corporations/ANCHOR/locations/${locationCode}/tenants/${currentTenantId}/ledgers`,
  {
    headers,
  },
)
  .then((answer) => answer.json())
  .then((ledgers) => {
    const make = (tag, ...children) => {
      const element = document.createElement(tag);
      element.append(...children);
      return element;
    };
    const fact = (label, value) => make('div', make('dt', label), make('dd', value));
    const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    const cards = ledgers.map(({ unitName, unit, rentalRate, balance, paidThrough }) =>
      make(
        'section',
        make('h3', unitName),
        make(
          'p',
          `${unit.width} x ${unit.length} ${unit.typeName} · ${money.format(rentalRate)} a month`,
        ),
        make(
          'dl',
          fact('Current Balance (Required)', make('b', money.format(balance))),
          fact('Paid Through', paidThrough),
        ),
      ),
    );
    document.getElementById('rentals').replaceChildren(...cards);
  });
