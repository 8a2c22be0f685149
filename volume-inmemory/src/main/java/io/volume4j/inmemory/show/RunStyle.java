package io.volume4j.inmemory.show;

/** The style of a run's page, in light and dark. */
final class RunStyle {
    static final String CSS = """
            :root { color-scheme: light dark; --ink: #1d1f23; --soft: #5a5f68; --line: #e1e1dc; --ground: #fbfbf9;
              --step: #5a5f68; --call: #2a5fa8; --answer: #2b7a4b; --write: #8a5a00; --fault: #b3261e; --band: #f1f1ee; --bad: #fbeceb; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e8e9eb; --soft: #a0a7b1; --line: #32373e; --ground: #15171a;
              --step: #a0a7b1; --call: #8ab4f0; --answer: #79c79a; --write: #e5b95c; --fault: #f28b82; --band: #1e2226; --bad: #3a2322; } }
            body { margin: 1.5rem 2rem; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
            h1 { font-size: 1.25rem; margin: 0; }
            .about { color: var(--soft); margin: .3rem 0; }
            .about span { margin-right: 1rem; }
            .failure { background: var(--bad); color: var(--fault); padding: .6rem .9rem; border-radius: 8px; white-space: pre-wrap; }
            svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
            svg .time { fill: var(--soft); text-anchor: end; }
            svg .name { font-weight: 600; }
            .lane { stroke: var(--line); }
            .band { fill: transparent; }
            g:hover .band { fill: var(--band); }
            path, circle { stroke-width: 1.5; }
            .step { color: var(--step); } .step path, .step circle { stroke: var(--step); fill: var(--step); } svg .step .what { font-weight: 600; }
            .step .band { fill: var(--band); }
            .call { color: var(--call); } .call path, .call circle { stroke: var(--call); fill: var(--call); }
            .answer { color: var(--answer); } .answer path, .answer circle { stroke: var(--answer); fill: var(--answer); }
            .write { color: var(--write); } .write path, .write circle { stroke: var(--write); fill: var(--write); }
            .life circle { stroke: var(--soft); fill: var(--soft); }
            .fault { color: var(--fault); } .fault path, .fault circle { stroke: var(--fault); fill: var(--fault); } svg .fault .what { fill: var(--fault); }
            .broken { color: var(--fault); font-weight: 700; } .broken .band, .broken:hover .band { fill: var(--fault); } svg .broken .what { fill: var(--ground); font-weight: 700; }
            """;

    private RunStyle() {}
}
