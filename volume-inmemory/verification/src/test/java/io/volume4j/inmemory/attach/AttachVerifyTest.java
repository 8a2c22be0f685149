package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.spi.model.AccessMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Backends are asked what is attached: all volumes of a driver at once, and nothing but an answer is believed. */
class AttachVerifyTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int VOLUMES = 12;

    private final AttachHarness cluster = new AttachHarness(1);
    private final InMemoryStorage otherStorage = InMemoryStorage.create();
    private final InMemoryPlugin other =
            InMemoryPlugin.builder(otherStorage).name("other").recordOnly().build();

    @BeforeEach
    void attachedOnThreeNodes() {
        cluster.others.add(other);
        cluster.options = cluster.options.withVerifyEvery(EVERY);
        cluster.foreignNode("n0").foreignNode("n1").foreignNode("n2").controller();
        for (int i = 0; i < VOLUMES; i++) {
            cluster.volume(i % 2 == 0 ? "mem" : "other", "v" + i, RWO);
            otherStorage.add("h-v" + i, 1L << 30);
            cluster.pod("p" + i, "n" + i % 3, "v" + i);
        }
        cluster.run();
        assertThat(cluster.records())
                .hasSize(VOLUMES)
                .allMatch(record -> record.status().attached());
        cluster.storage.clearCalls();
        otherStorage.clearCalls();
    }

    @Test
    void asksEachDriverOnceForAllItsVolumesAndTheClusterForNone() {
        List<String> reads = cluster.the("c").link.reads();

        cluster.world.advance(EVERY);

        assertThat(questions(cluster.storage)).containsExactly(VOLUMES / 2);
        assertThat(questions(otherStorage)).containsExactly(VOLUMES / 2);
        assertThat(cluster.storage.calls()).allMatch(call -> call.name().equals("observe"));
        assertThat(cluster.the("c").link.reads()).isEqualTo(reads);

        cluster.world.advance(EVERY.multipliedBy(4));
        assertThat(questions(cluster.storage)).as("once each minute").hasSize(5).containsOnly(VOLUMES / 2);
    }

    /** A backend that cannot answer, in whichever way, has everything as it had. */
    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {
                "TRANSIENT",
                "FINAL",
                "FINAL_PROVING_ABSENCE",
                "UNCERTAIN_BEFORE",
                "UNCLASSIFIED_BEFORE",
                "EXHAUSTED"
            })
    void takesNoErrorForAbsence(FaultKind kind) {
        cluster.plugin.faults().add(Fault.on("observe").always().as(kind));
        for (int i = 0; i < VOLUMES; i += 2) {
            cluster.storage.detachBehindOurBack("h-v" + i, "n" + i % 3);
        }
        cluster.world.advance(Duration.ofMinutes(10));

        assertThat(cluster.controlCalls()).isEmpty();
        assertThat(cluster.told("AttachmentLost")).isEmpty();
        assertThat(cluster.records())
                .hasSize(VOLUMES)
                .allMatch(record -> record.status().attached());
    }

    @Test
    void believesTheAnswersThatItGot() {
        cluster.plugin.faults().add(Fault.on("observe").of("h-v0").always().as(FaultKind.UNCERTAIN_BEFORE));
        cluster.storage.detachBehindOurBack("h-v0", "n0");
        cluster.storage.detachBehindOurBack("h-v2", "n2");
        cluster.world.advance(EVERY.multipliedBy(2));

        assertThat(cluster.controlCalls()).containsExactly("attach h-v2 n2");
    }

    /** How many volumes each call asked for. */
    private static List<Integer> questions(InMemoryStorage storage) {
        return new ArrayList<>(storage.calls().stream()
                .filter(call -> call.name().equals("observe"))
                .collect(Collectors.groupingBy(
                        PluginCall::operationId, java.util.LinkedHashMap::new, Collectors.summingInt(call -> 1)))
                .values());
    }
}
