package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.oracle.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lifecycle passes against drivers with and without each of the main capabilities, in every combination. */
@Timeout(60)
class CapabilityMatrixTest {
    private static final List<String> SWITCHES = List.of("attach", "stage", "expand", "snapshot", "topology");

    /** Without what stands in {@code off}; with a block volume or not; with an inline volume on the way or not. */
    record Combination(List<String> off, boolean block, boolean ephemeral) {
        @Override
        public String toString() {
            return "without " + off + (block ? ", block" : ", mounted") + (ephemeral ? ", inline" : "");
        }
    }

    static Stream<Combination> combinations() {
        return IntStream.range(0, 1 << (SWITCHES.size() + 2)).mapToObj(bits -> {
            List<String> off = new ArrayList<>();
            for (int i = 0; i < SWITCHES.size(); i++) {
                if ((bits >> i & 1) == 1) {
                    off.add(SWITCHES.get(i));
                }
            }
            return new Combination(off, (bits >> SWITCHES.size() & 1) == 1, (bits >> (SWITCHES.size() + 1) & 1) == 1);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("combinations")
    void passesAndLeavesNothing(Combination combination) {
        try (Ground ground = new Ground()) {
            DriverOptions.Builder options = ground.driver();
            combination.off().forEach(options::without);
            if (!combination.ephemeral()) {
                options.without("ephemeral");
            }
            try (CsiTestDriver driver = CsiTestDriver.start(options.build())) {
                List<String> words = new ArrayList<>();
                if (combination.block()) {
                    words.add("--block");
                }
                if (combination.ephemeral()) {
                    words.add("--ephemeral");
                }

                Ground.Result result = ground.run(words.toArray(new String[0])).is(0);

                ground.assertClean(driver, combination.toString());
                List<String> calls = driver.calls().names();
                assertThat(calls.contains("ControllerPublishVolume")).isEqualTo(has(combination, "attach"));
                assertThat(calls.contains("NodeStageVolume")).isEqualTo(has(combination, "stage"));
                assertThat(calls.contains("ControllerExpandVolume")).isEqualTo(has(combination, "expand"));
                assertThat(calls.contains("CreateSnapshot")).isEqualTo(has(combination, "snapshot"));
                assertThat(result.out()).contains("wrote and read", "nothing is left", "passed in");
                assertThat(driver.oracle().violations()).noneMatch(each -> each.rule() == Rule.WITHOUT_CAPABILITY);
            }
        }
    }

    private static boolean has(Combination combination, String capability) {
        return !combination.off().contains(capability);
    }
}
