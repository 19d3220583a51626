const [state, place] = ['state', 'location'].map((id) => document.getElementById(id));
void fetch('/api/corporations/ANCHOR/locations')
  .then((answer) => answer.json())
  .then((locations) => {
    const option = (value, label) =>
      Object.assign(document.createElement('option'), { value, textContent: label });
    const states = [...new Set(locations.map(({ address }) => address.region))].sort();
    state.replaceChildren(option('', 'Select state'), ...states.map((code) => option(code, code)));
    state.disabled = false;
    state.addEventListener('change', () => {
      const there = locations.filter(({ address }) => address.region === state.value);
      const labels = there.map(({ locationCode, address }) =>
        option(locationCode, `${address.city}, ${address.region} at ${address.street1}`),
      );
      place.replaceChildren(option('', 'Select location'), ...labels);
      place.disabled = state.value === '';
    });
  });

const form = document.querySelector('form');
// What My Units needs comes while the form is filled in.
form.addEventListener('focusin', () => void import('/units.js'), { once: true });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { username, password, locationCode } = Object.fromEntries(new FormData(form));
  void fetch('/api/users/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, locationCode, corporationCode: 'ANCHOR' }),
  })
    .then((answer) => answer.json())
    .then(({ token, tenants }) => {
      const session = { token, tenants, currentTenantId: tenants[0].id, locationCode };
      localStorage.setItem('gatehouse', JSON.stringify(session));
      history.pushState(null, '', '/');
      document.body.className = 'units';
      document.body.replaceChildren(document.querySelector('template').content);
      globalThis.showUnits();
    });
});
