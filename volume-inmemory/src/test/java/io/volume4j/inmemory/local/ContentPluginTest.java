package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.ContentPlugin;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pod finds in its secret, configMap, downwardAPI and projected volumes. */
class ContentPluginTest {
    @Test
    void eachKeyOfASecretIsAFile() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann", "password", "quiet"));

        node.setUp();

        assertThat(node.names()).containsExactly("password", "user");
        assertThat(node.read("user")).isEqualTo("ann");
        assertThat(node.mode("user")).isEqualTo(0644);
    }

    @Test
    void itemsChooseKeysPathsAndModes() {
        ContentNode node = ContentNode.secret(Map.of(
                "secretName",
                "login",
                "defaultMode",
                0400,
                "items",
                List.of(
                        Map.of("key", "user", "path", "who/name"),
                        Map.of("key", "password", "path", "who/word", "mode", 0440))));
        node.hold("login", Map.of("user", "ann", "password", "quiet", "other", "left out"));

        node.setUp();

        assertThat(node.names()).containsExactly("who");
        assertThat(node.read("who/name")).isEqualTo("ann");
        assertThat(node.mode("who/name")).isEqualTo(0400);
        assertThat(node.mode("who/word")).isEqualTo(0440);
    }

    @Test
    void aConfigMapMayBeBinary() {
        ContentNode node = new ContentNode(ContentPlugin.configMap(), "configMap", Map.of("name", "settings"));
        byte[] binary = {0, (byte) 0xff, 10, (byte) 0x80};
        node.configs.put("default", "settings", Map.of("store.jks", binary));

        node.setUp();

        assertThat(node.machine.user().read(ContentNode.TARGET.absolute().resolve("store.jks")))
                .isEqualTo(binary);
    }

    @Test
    void thePodCannotWriteToIt() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();

        VolumeException refusal = catchThrowableOfType(
                VolumeException.class,
                () -> node.machine.user().write(ContentNode.TARGET.absolute().resolve("new"), new byte[1]));

        assertThat(refusal).hasMessageContaining("EROFS");
    }

    @Test
    void whatIsMissingIsAFailureUnlessItIsOptional() {
        ContentNode required = ContentNode.secret(Map.of("secretName", "login"));
        ContentNode optional = ContentNode.secret(Map.of("secretName", "login", "optional", true));

        VolumeException failure = catchThrowableOfType(VolumeException.class, required::setUp);
        optional.setUp();

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("secret default/login does not exist");
        assertThat(required.machine.table().size()).isEqualTo(1);
        assertThat(optional.names()).isEmpty();
    }

    @Test
    void aMissingKeyIsAFailureUnlessTheSourceIsOptional() {
        List<Map<String, Object>> items =
                List.of(Map.of("key", "user", "path", "u"), Map.of("key", "gone", "path", "g"));
        ContentNode required = ContentNode.secret(Map.of("secretName", "login", "items", items));
        ContentNode optional = ContentNode.secret(Map.of("secretName", "login", "items", items, "optional", true));
        required.hold("login", Map.of("user", "ann"));
        optional.hold("login", Map.of("user", "ann"));

        VolumeException failure = catchThrowableOfType(VolumeException.class, required::setUp);
        optional.setUp();

        assertThat(failure).hasMessageContaining("has no key \"gone\", which secret.items[1] names");
        assertThat(optional.names()).containsExactly("u");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name | web",
                "metadata.namespace | default",
                "metadata.uid | uid-1",
                "metadata.labels | app=\"a\\\"b\"~tier=\"front\"",
                "metadata.annotations | note=\"two\\nlines\\t\\\\\"",
                "metadata.labels['tier'] | front",
                "metadata.labels['none'] | ''",
            })
    void aPodReadsItsOwnFields(String field, String value) {
        ContentNode node = downward(Map.of("path", "f", "fieldRef", Map.of("fieldPath", field)));

        node.setUp();

        assertThat(node.read("f")).isEqualTo(value.replace('~', '\n'));
    }

    @ParameterizedTest
    @CsvSource({
        "limits.cpu, 1, 2",
        "limits.cpu, 1m, 1500",
        "requests.cpu, 1, 1",
        "requests.cpu, 10m, 25",
        "limits.memory, 1Mi, 65",
        "limits.memory, 0, 68157440",
        "requests.memory, 1, 0",
        "limits.ephemeral-storage, 1Gi, 10",
    })
    void aPodReadsItsResourcesInUnitsOfTheDivisorRoundedUp(String resource, String divisor, String value) {
        ContentNode node = downward(Map.of(
                "path",
                "f",
                "resourceFieldRef",
                Map.of("containerName", "main", "resource", resource, "divisor", divisor)));

        node.setUp();

        assertThat(node.read("f")).isEqualTo(value);
    }

    @Test
    void oneDirectoryHasFilesOfEverySource() {
        ContentNode node = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")),
                Map.of("configMap", Map.of("name", "settings", "optional", true)),
                Map.of(
                        "downwardAPI",
                        Map.of(
                                "items",
                                List.of(Map.of("path", "me", "fieldRef", Map.of("fieldPath", "metadata.name"))))),
                Map.of("serviceAccountToken", Map.of("path", "token", "audience", "vault"))));
        node.hold("login", Map.of("user", "ann"));

        node.setUp();

        assertThat(node.names()).containsExactly("me", "token", "user");
        assertThat(node.read("token")).isEqualTo("token-1-robot");
        assertThat(node.configs.tokenRequests()).singleElement().satisfies(request -> {
            assertThat(request.audience()).isEqualTo("vault");
            assertThat(request.seconds()).isEqualTo(3600);
            assertThat(request.podUid()).isEqualTo("uid-1");
        });
    }

    @Test
    void filesOfTwoSourcesAtOnePathAreRefused() {
        ContentNode same = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "user"))));
        ContentNode below = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "user/t"))));
        for (ContentNode node : List.of(same, below)) {
            node.hold("login", Map.of("user", "ann"));

            VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

            assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(refusal).hasMessageContaining("projected.sources[1]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abs", "../up", "..data", "..x", "a/../b", "a//b", "a/", "./a", "a\nb", ""})
    void aPathThatCouldLeadElsewhereIsRefused(String path) {
        ContentNode node = ContentNode.secret(
                Map.of("secretName", "login", "items", List.of(Map.of("key", "user", "path", path))));
        node.hold("login", Map.of("user", "ann"));

        VolumeException refusal = catchThrowableOfType(VolumeException.class, node::setUp);

        assertThat(refusal.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(node.machine.table().size()).isEqualTo(1);
    }

    @Test
    void aFieldOfTheWrongTypeIsRefusedWithItsPlace() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login", "defaultMode", 01777));
        node.hold("login", Map.of("user", "ann"));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp))
                .hasMessageContaining("secret.defaultMode must be a mode from 0 to 0777");
    }

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

    /** Nobody tears down what failed for certain, and content in memory is a secret that would stay. */
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
    void thePodsGroupOwnsAndReadsEveryFileBeforeItIsShown() {
        ContentNode node = ContentNode.projected(List.of(
                Map.of("secret", Map.of("name", "login")), Map.of("serviceAccountToken", Map.of("path", "dir/token"))));
        node.fsGroup = 2000L;
        node.hold("login", Map.of("user", "ann"));

        node.setUp();

        Path target = ContentNode.TARGET.absolute();
        assertThat(node.machine.user().group(target.resolve("user"))).isEqualTo(2000);
        assertThat(node.machine.user().group(target.resolve("dir/token"))).isEqualTo(2000);
        assertThat(node.mode("user")).isEqualTo(0644);
        assertThat(node.mode("dir/token")).isEqualTo(0640);
        assertThat(node.mode("dir")).isEqualTo(02755);
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
    void aTokenIsKeptUntilFourFifthsOfItsLifeAndThenRenewed() {
        ContentNode node = token(3600);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(2879));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        assertThat(node.read("token")).isEqualTo("token-1-robot");

        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenThatLivesLongIsRenewedEveryDay() {
        ContentNode node = token(7 * 24 * 3600);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(24 * 3600));
    }

    /** A node that booted without knowing the time, or whose clock runs ahead: its end is told by another clock. */
    @ParameterizedTest
    @ValueSource(longs = {365, 1, -1, -365})
    void aTokenIsNotUsedLongerThanWasAskedForWhateverTheClocksSay(long days) {
        ContentNode node = token(3600);
        node.ahead = Duration.ofDays(days);

        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(2879));
        assertThat(node.setUp().refreshAt()).isEqualTo(ManualClock.START.plusSeconds(2880));
        node.clock.advance(Duration.ofSeconds(1));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenIsRenewedWhereTheClockWasSetBackBehindItsBeginning() {
        ContentNode node = token(3600);
        node.clock.advance(Duration.ofDays(2));
        node.setUp();
        node.clock.step(Duration.ofDays(-2).plusSeconds(60));
        node.setUp();

        assertThat(node.read("token")).isEqualTo("token-2-robot");
        node.clock.advance(Duration.ofSeconds(60));
        node.setUp();
        assertThat(node.read("token")).isEqualTo("token-2-robot");
    }

    @Test
    void aTokenThatCannotBeRenewedServesUntilItEnds() {
        ContentNode node = token(3600);
        node.setUp();
        node.tokensFail = VolumeException.transientFailure("the API is away");
        node.clock.advance(Duration.ofMinutes(50));

        assertThat(node.setUp().refreshAt()).isEqualTo(node.clock.instant().plusSeconds(60));
        assertThat(node.read("token")).isEqualTo("token-1-robot");

        node.clock.advance(Duration.ofMinutes(10));
        assertThat(catchThrowableOfType(VolumeException.class, node::setUp)).hasMessage("the API is away");
    }

    @Test
    void anotherAudienceIsAnotherToken() {
        ContentNode node = token(3600);
        node.setUp();
        ContentNode other = ContentNode.projected(
                List.of(Map.of("serviceAccountToken", Map.of("path", "token", "audience", "vault"))));
        other.state = node.state;

        other.setUp();

        assertThat(other.configs.tokenRequests()).hasSize(1);
    }

    @Test
    void noTokenIsRememberedOutsideOfItsVolume() {
        ContentNode node = token(3600);
        node.setUp();

        assertThat(node.state.toString()).doesNotContain("token-1");
        assertThat(node.state.values()).hasSize(1);
    }

    @Test
    void aTokenOfLessThanTenMinutesIsRefused() {
        assertThat(catchThrowableOfType(VolumeException.class, () -> token(599).setUp()))
                .hasMessageContaining("expirationSeconds must be at least 600");
    }

    @Test
    void aProjectionThatIsNotKnownIsRefused() {
        ContentNode node = ContentNode.projected(List.of(Map.of("clusterTrustBundle", Map.of("path", "ca"))));

        assertThat(catchThrowableOfType(VolumeException.class, node::setUp).kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @Test
    void contentIsSetUpAgainWhenThePodChanges() {
        ContentPlugin plugin = ContentPlugin.secret();

        assertThat(plugin.requiresRemount(ContentNode.secret(Map.of()).spec())).isTrue();
        assertThat(plugin.shared(ContentNode.secret(Map.of()).spec())).isFalse();
    }

    private static ContentNode token(int seconds) {
        return ContentNode.projected(
                List.of(Map.of("serviceAccountToken", Map.of("path", "token", "expirationSeconds", seconds))));
    }

    private static ContentNode downward(Map<String, Object> item) {
        return new ContentNode(
                ContentPlugin.downwardApi(Map.of("ephemeral-storage", Quantity.parse("10Gi"))),
                "downwardAPI",
                Map.of("items", List.of(item)));
    }

    @Test
    void secretsAreKeptInMemoryAlone() {
        ContentNode node = ContentNode.secret(Map.of("secretName", "login"));
        node.hold("login", Map.of("user", "ann"));
        node.setUp();

        assertThat(node.machine.table().at(ContentNode.TARGET.absolute()))
                .get()
                .satisfies(mount -> assertThat(mount.fsType()).isEqualTo("tmpfs"));
    }
}
