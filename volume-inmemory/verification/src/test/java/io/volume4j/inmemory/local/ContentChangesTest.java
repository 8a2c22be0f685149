package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that changes while pods read it, and set-ups that are cut off. */
class ContentChangesTest {
    @Test
    void whatChangesChangesUnderThePodsEyesAndWhatIsGoneGoes() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann", "old", "x"));
        node.setUp();

        node.clock.advance(Duration.ofSeconds(1));
        node.hold("login", Map.of("user", "bob", "new", "y"));
        node.setUp();

        assertThat(node.names()).containsExactly("new", "user");
        assertThat(node.read("user")).isEqualTo("bob");
        assertThat(node.allNames()).containsExactly("..2026_01_01_00_00_01.000000000", "..data", "new", "user");
        assertThat(node.machine.table().size()).isEqualTo(3);
    }

    @Test
    void whatStaysTheSameIsNotWrittenAgain() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();
        String before = node.shown();

        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();

        assertThat(node.shown()).isEqualTo(before);
    }

    @Test
    void aChangeAtTheSameInstantGetsADirectoryOfItsOwn() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();
        String before = node.shown();

        node.hold("login", Map.of("user", "bob"));
        node.setUp();

        assertThat(node.shown()).isNotEqualTo(before);
        assertThat(node.read("user")).isEqualTo("bob");
    }

    @Test
    void linksThatAreLostOrBentAreRepairedThoughTheContentIsTheSame() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("a", "1", "b", "2"));
        node.setUp();
        String before = node.shown();
        Path place = Path.of("/var/lib/volume4j/plugins/kubernetes.io~secret/data/content/uid-1.data");
        node.machine.files().removeFile(RootedPath.of(place, "a"));
        node.machine.files().linkAtomically(RootedPath.of(place, "b"), "/etc/passwd");
        node.machine.files().linkAtomically(RootedPath.of(place, "stray"), "..data/a");

        node.setUp();

        assertThat(node.names()).containsExactly("a", "b");
        assertThat(node.read("a") + node.read("b")).isEqualTo("12");
        assertThat(node.shown()).isEqualTo(before);
    }

    @Test
    void aSetUpThatFailsLeavesTheContentAsItWas() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();
        node.secrets.remove(new SecretRef("default", "login"));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).isNotNull();

        assertThat(node.read("user")).isEqualTo("ann");
        node.tearDown();
        assertThat(node.machine.table().size()).isEqualTo(1);
    }

    @Test
    void aChangeThatIsCutOffAnywhereShowsAllOldOrAllNewAndTheNextSetUpEndsIt() {
        for (FaultKind fault : List.of(FaultKind.UNCERTAIN_BEFORE, FaultKind.UNCERTAIN_AFTER, FaultKind.PARTIAL)) {
            int call = 1;
            while (changesDespite(Fault.on("").nth(call).as(fault))) {
                call++;
            }
            assertThat(call).as("calls of a change, %s", fault).isGreaterThan(10);
        }
    }

    /** No step tears down what failed for certain, and content in memory is a secret that would stay. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFirstSetUpThatFailsAnywhereForCertainLeavesNothing(boolean lasting) {
        int failed = 0;
        // More than a first set-up makes.
        for (int call = 1; call <= 60; call++) {
            failed += leavesNothingOrADoubt(call, lasting) ? 1 : 0;
        }
        assertThat(failed).isBetween(10, 50);
    }

    private static boolean leavesNothingOrADoubt(int call, boolean lasting) {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("a", "1", "b", "2"));
        int before = node.machine.table().size();
        Fault fault = Fault.on("").nth(call).times(lasting ? 100 : 1).as(FaultKind.TRANSIENT);
        node.machine.faults().add(fault);
        VolumeException failure = catchThrowableOfType(VolumeException.class, node::setUp);
        node.machine.faults().heal();

        if (failure != null && failure.kind() != FailureKind.UNCERTAIN) {
            assertThat(node.machine.table().size()).as("%s: %s", fault, failure).isEqualTo(before);
            RootedPath place =
                    RootedPath.of(Path.of("/var/lib/volume4j"), "plugins/kubernetes.io~secret/data/content/uid-1.data");
            assertThat(node.machine.files().status(place)).as("%s", fault).isEmpty();
            assertThat(node.machine.files().status(ContentNode.TARGET))
                    .as("%s", fault)
                    .isEmpty();
        }
        node.tearDown();
        assertThat(node.machine.table().size()).isEqualTo(before);
        return failure != null;
    }

    /** Whether the fault came into play. */
    private static boolean changesDespite(Fault fault) {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("a", "old", "b", "old", "gone", "old"));
        node.setUp();
        node.hold("login", Map.of("a", "new", "b", "new", "come", "new"));
        node.clock.advance(Duration.ofSeconds(1));
        node.machine.faults().add(fault);
        boolean failed = catchThrowableOfType(VolumeException.class, node::setUp) != null;
        boolean happened = node.machine.faults().pending().isEmpty();
        node.machine.faults().heal();

        assertThat(failed).as("%s", fault).isEqualTo(happened);
        assertThat(node.read("a")).as("%s", fault).isEqualTo(node.read("b"));
        node.setUp();

        assertThat(node.names()).as("%s", fault).containsExactly("a", "b", "come");
        assertThat(node.read("a") + node.read("b") + node.read("come")).isEqualTo("newnewnew");
        assertThat(node.allNames()).as("%s", fault).hasSize(5);
        node.tearDown();
        assertThat(node.machine.violations()).isEmpty();
        return happened;
    }

    @Test
    void whatTheHostDoesNotTellOfIsLookedAtInOneToTwoMinutes() {
        ContentNode silent = new ContentNode(ContentPlugin.configMap(), "configMap", Map.of("name", "settings"));
        silent.configs.put("default", "settings", Map.of());
        ContentNode told = ContentNode.secret(Map.of("secretName", "login"));
        told.hold("login", Map.of("user", "ann"));

        assertThat(silent.setUp().refreshAt())
                .isBetween(ManualClock.START.plusSeconds(60), ManualClock.START.plusSeconds(120));
        assertThat(told.setUp().refreshAt()).isNull();
    }

    @Test
    void contentIsSetUpAgainWhenThePodChanges() {
        ContentPlugin plugin = ContentPlugin.secret();

        assertThat(plugin.requiresRemount(ContentNode.secret(Map.of()).spec())).isTrue();
        assertThat(plugin.shared(ContentNode.secret(Map.of()).spec())).isFalse();
    }
}
