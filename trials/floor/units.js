globalThis.showUnits = () => {
  const { token, currentTenantId, locationCode } = JSON.parse(localStorage.getItem('gatehouse'));
  const make = (tag, ...children) => {
    const element = document.createElement(tag);
    element.append(...children);
    return element;
  };
  const fact = (label, value) => make('div', make('dt', label), make('dd', value));
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  const payLink = ({ id }) =>
    Object.assign(make('a', 'Pay'), { href: `/billing-info?ledger=${id}` });
  const sizeOf = ({ unit }) => `${unit.width} x ${unit.length} ${unit.typeName}`;

  void fetch(
    `/api/corporations/ANCHOR/locations/${locationCode}/tenants/${currentTenantId}/overview`,
    { headers: { authorization: `Bearer ${token}` } },
  )
    .then((answer) => answer.json())
    .then(({ facility, tenant, ledgers, gateAccess, autopays, files, ...rest }) => {
      const of = (list, ledger) => list.find(({ ledgerId }) => ledgerId === ledger.id);
      const gateOf = ({ unitId }) => gateAccess.find((gate) => gate.unitId === unitId);
      const ordered = ledgers.toSorted((a, b) => (b.balance > 0) - (a.balance > 0));
      const panels = ordered.map((ledger) => {
        const gate = gateOf(ledger);
        const panel = make('div', make('p', ledger.unitName), make('p', sizeOf(ledger)));
        if (gate.accessCode === undefined)
          panel.append(
            make('b', 'Locked out'),
            make('p', `Pay ${money.format(ledger.balance)} to open the gate.`),
            payLink(ledger),
          );
        else panel.append(make('strong', gate.accessCode), make('p', gate.timeZone));
        return panel;
      });
      const cards = ordered.map((ledger) => {
        const { unitName, rentalRate, balance, paidThrough } = ledger;
        const insurance = of(rest.insuranceStatuses, ledger);
        const pending = files.filter(({ ledgerId }) => ledgerId === ledger.id);
        return make(
          'section',
          make('h3', unitName),
          make('p', `${sizeOf(ledger)} · ${money.format(rentalRate)} a month`),
          make(
            'dl',
            fact('Current Balance (Required)', make('b', money.format(balance))),
            fact('Paid Through', paidThrough),
            fact('Gate Access', gateOf(ledger).accessCode ?? 'Locked out'),
            fact('Autopay', of(autopays, ledger)?.active ? 'On' : 'Off'),
            fact('Documents', pending.map(({ formName }) => formName).join(', ')),
            fact('Insurance', insurance?.activeInsurance ? 'Active' : 'None'),
            fact('Unit Contents', of(rest.unitContents, ledger)?.contents ?? ''),
            fact('Driver’s License', tenant.driversLicenseNumber ?? ''),
          ),
          ...(balance > 0 ? [payLink(ledger)] : []),
        );
      });
      document.getElementById('pass').replaceChildren(...panels);
      document.getElementById('rentals').replaceChildren(...cards);
      document.getElementById('facility').textContent =
        `${facility.address.street1}, ${facility.address.city} · ${facility.phone}`;
    });
};
if (location.pathname === '/') globalThis.showUnits();
