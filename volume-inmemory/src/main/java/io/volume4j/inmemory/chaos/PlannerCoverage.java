package io.volume4j.inmemory.chaos;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.Wait;
import io.volume4j.inmemory.sim.Simulation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which of their branches the planners of simulated worlds took. Thread-safe. */
public final class PlannerCoverage {
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    public Simulation.Builder counted(Simulation.Builder builder) {
        return builder.onPlan(this::planned);
    }

    private void planned(String planner, Plan<? extends Step> plan) {
        for (Step step : plan.steps()) {
            taken.add(planner + " step " + step.kind() + " " + step.describe());
        }
        for (Wait wait : plan.waits()) {
            taken.add(planner + " wait " + wait.why());
        }
        if (plan.steps().isEmpty() && plan.waits().isEmpty()) {
            taken.add(planner + " nothing");
        }
    }

    public Set<String> taken() {
        return taken;
    }
}
