package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.PlannerCoverage.By;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every random world comes to the right end, on every schedule, and breaks no rule on the way. */
class RandomSchedulesTest {
    /** Overridden by the nightly profile. */
    private static final long SCHEDULES = Long.getLong("volume4j.schedules", 20_000);

    /** Fewer schedules need not come to everything that is rare. */
    private static final long ENOUGH = 20_000;

    private static final long FROM = Long.getLong("volume4j.seed", 0);

    @Test
    void noScheduleBreaksARuleAndTheirPlannersTakeEveryBranch() {
        PlannerCoverage coverage = new PlannerCoverage();
        long start = System.nanoTime();
        Campaign.Report report = Campaign.counting(coverage).run(FROM, SCHEDULES);
        long millis = Math.max(1, (System.nanoTime() - start) / 1_000_000);

        System.out.println(report.text());
        System.out.println(SCHEDULES * 1_000 / millis + " schedules/s, " + report.steps() * 1_000 / millis
                + " steps/s, planner branches " + coverage.text(By.SCHEDULES));
        assertThat(report.failures()).as(report.text()).isEmpty();
        assertThat(report.schedules()).isEqualTo(SCHEDULES);
        assertThat(coverage.unknown()).isEmpty();
        if (SCHEDULES >= ENOUGH) {
            assertThat(coverage.missed(By.SCHEDULES)).isEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        Schedules schedules = Schedules.standard();
        List<Long> seeds = LongStream.rangeClosed(1, 200).boxed().toList();
        List<Schedules.Result> first = Processors.map(seeds, schedules::run);
        List<Schedules.Result> second = Processors.map(seeds, schedules::run);
        assertThat(first).hasSameSizeAs(seeds).doesNotContainNull();
        for (int i = 0; i < seeds.size(); i++) {
            assertThat(second.get(i).hash())
                    .as("seed %d", seeds.get(i))
                    .isEqualTo(first.get(i).hash());
            assertThat(second.get(i).steps()).isEqualTo(first.get(i).steps());
        }
    }

    @Test
    void otherSeedsGiveOtherRuns() {
        Schedules schedules = Schedules.standard();
        long different = LongStream.rangeClosed(1, 50)
                .map(seed -> schedules.run(seed).hash())
                .distinct()
                .count();
        assertThat(different).isEqualTo(50);
    }
}
