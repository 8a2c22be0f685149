package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The first call of a flexvolume driver, which asks for its capabilities. */
class FlexInitTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final List<Duration> left = new ArrayList<>();
    private Instant wallTime = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void aStepOfTheWallClockNeitherEndsTheCallNorLetsItRunOn() {
        FakeMachine machine = new FakeMachine();
        machine.programs = new Driver();
        PluginRegistry registry = PluginRegistry.builder(DefaultPluginHost.builder(Path.of("/var/lib/volume4j"))
                        .mounts(machine)
                        .clock(() -> wallTime)
                        .build())
                .build();

        registry.add(FlexVolumes.plugin(
                "example.com/disk",
                Path.of("/drivers/example.com~disk/disk"),
                FlexVolumes.Options.defaults().withCallLimit(LIMIT)));

        assertThat(left)
                .as("after a step forward, and back")
                .hasSize(2)
                .allSatisfy(each -> assertThat(each).isPositive().isLessThanOrEqualTo(LIMIT));
    }

    /** While it runs, an administrator sets the clock, twice. */
    private final class Driver implements Programs {
        @Override
        public Optional<Path> find(String name) {
            return Optional.empty();
        }

        @Override
        public Outcome run(Command command, CallContext context) {
            wallTime = wallTime.plus(Duration.ofHours(5));
            left.add(context.remaining());
            wallTime = wallTime.minus(Duration.ofHours(10));
            left.add(context.remaining());
            return new Outcome(Ending.EXITED, 0, "{\"status\":\"Success\"}", false);
        }
    }
}
