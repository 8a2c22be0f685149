package io.volume4j.examples.csilifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.rpc.Rpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver's author sees of it, whatever the driver is like. */
@Timeout(60)
class LifecycleTest {
    @AutoClose
    private final Ground ground = new Ground();

    private CsiTestDriver start(UnaryOperator<DriverOptions.Builder> change) {
        return CsiTestDriver.start(change.apply(ground.driver()).build());
    }

    @Test
    void aPlanAsksWhatTheDriverCanDoAndSendsNothingElse() {
        Set<String> reads = Arrays.stream(Rpc.values())
                .filter(rpc -> rpc.effect() == Rpc.Effect.READS)
                .map(Rpc::label)
                .collect(Collectors.toSet());
        try (CsiTestDriver driver = start(options -> options.without("stage"))) {
            Ground.Result plan = ground.run("--plan").is(0);

            assertThat(plan.out())
                    .contains("CreateVolume", "NodePublishVolume", "DeleteVolume", "nothing of it was sent");
            assertThat(plan.out()).doesNotContain("NodeStageVolume");
            assertThat(driver.calls().names()).allMatch(reads::contains).doesNotContain("ListVolumes", "GetCapacity");
            assertThat(ground.state()).doesNotExist();
        }
    }

    @Test
    void whatIsDoneIsWhatWasPlanned() {
        try (CsiTestDriver driver =
                start(options -> options.without("expansion.ONLINE").without("expand"))) {
            List<String> planned = ground.run("--plan")
                    .is(0)
                    .out()
                    .lines()
                    .filter(line -> line.matches(" +[0-9]+  [A-Z].*"))
                    .map(line -> line.strip().split(" +")[1])
                    // every run asks the same before it has a plan
                    .filter(call ->
                            !Set.of("GetPluginInfo", "Probe", "NodeGetInfo").contains(call))
                    .toList();
            driver.calls().clear();

            ground.run().is(0);

            List<String> done =
                    driver.calls().names().stream().filter(planned::contains).toList();
            // the leak check comes on top
            assertThat(done.subList(0, planned.size() - 1)).isEqualTo(planned.subList(0, planned.size() - 1));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {
                "CREATE_VOLUME",
                "VALIDATE_VOLUME_CAPABILITIES",
                "CONTROLLER_PUBLISH_VOLUME",
                "NODE_STAGE_VOLUME",
                "NODE_PUBLISH_VOLUME",
                "NODE_GET_VOLUME_STATS",
                "CONTROLLER_GET_VOLUME_HEALTH",
                "CONTROLLER_LIST_VOLUME_HEALTH",
                "NODE_GET_VOLUME_HEALTH",
                "NODE_GET_STORAGE_HEALTH",
                "CONTROLLER_EXPAND_VOLUME",
                "NODE_EXPAND_VOLUME",
                "CREATE_SNAPSHOT",
                "LIST_SNAPSHOTS",
                "GET_SNAPSHOT",
                "CREATE_VOLUME_GROUP_SNAPSHOT"
            })
    void aStepThatFailsForGoodIsNamedAndEverythingIsTakenDown(Rpc rpc) {
        try (CsiTestDriver driver = start(options -> options)) {
            driver.faults().add(rpc.label() + " call=1 before PERMISSION_DENIED not for you");

            Ground.Result result = ground.run().is(1);

            assertThat(result.out()).contains("FAILED: " + rpc.label(), "not for you", "nothing is left");
            ground.assertClean(driver, rpc.label());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {"GET_METADATA_ALLOCATED", "GET_METADATA_DELTA"})
    void theSameForBlockVolumes(Rpc rpc) {
        try (CsiTestDriver driver = start(options -> options)) {
            driver.faults().add(rpc.label() + " call=1 before PERMISSION_DENIED not for you");

            Ground.Result result = ground.run("--block").is(1);

            assertThat(result.out()).contains("FAILED: " + rpc.label(), "not for you", "nothing is left");
            ground.assertClean(driver, rpc.label());
        }
    }

    @Test
    void everyCallOfASnapshotThatTheDriverHasIsMade() {
        try (CsiTestDriver driver = start(options -> options)) {
            ground.run("--block").is(0);
            assertThat(driver.calls().names())
                    .contains(
                            "CreateSnapshot",
                            "ListSnapshots",
                            "GetSnapshot",
                            "GetMetadataAllocated",
                            "GetMetadataDelta");
            ground.assertClean(driver, "block");

            driver.calls().clear();
            assertThat(ground.run().is(0).out()).contains("snapshot metadata: it is of block volumes");
            assertThat(driver.calls().names())
                    .contains("GetSnapshot")
                    .doesNotContain("GetMetadataAllocated", "GetMetadataDelta");
        }
        try (CsiTestDriver driver = start(options -> options.without("controller.GET_SNAPSHOT"))) {
            ground.run().is(0);
            assertThat(driver.calls().names()).contains("ListSnapshots").doesNotContain("GetSnapshot");
        }
    }

    @Test
    void aWrittenBlockThatTheMetadataLeavesOutIsFoundOut() {
        Snapshots.Blocks blocks = new Snapshots.Blocks(8192);
        blocks.accept(BlockMetadataType.FIXED_LENGTH, 1 << 20, List.of(block(0, 4096), block(12288, 4096)));

        assertThatThrownBy(() -> blocks.demandFound("GetMetadataDelta of snapshot s"))
                .isInstanceOf(Failed.class)
                .hasMessageContaining("GetMetadataDelta of snapshot s leaves out byte 8192");

        blocks.accept(BlockMetadataType.FIXED_LENGTH, 1 << 20, List.of(block(8192, 1)));
        blocks.demandFound("GetMetadataDelta of snapshot s");
    }

    @Test
    void aDeviceThatIsSmallerThanItsVolumeIsFoundOutAndAFilesystemIsNot() throws IOException {
        Path device = Files.write(ground.path().resolve("device"), new byte[4096]);

        assertThatThrownBy(() -> Contents.demandSize(device, 8192))
                .isInstanceOf(Failed.class)
                .hasMessageContaining("has 4 KiB, and the volume 8 KiB");
        Contents.demandSize(device, 4096);
        Contents.demandSize(ground.path(), 0);
    }

    private static BlockMetadata block(long offset, long size) {
        return BlockMetadata.newBuilder()
                .setByteOffset(offset)
                .setSizeBytes(size)
                .build();
    }

    @ParameterizedTest
    @CsvSource({"SINGLE_NODE_READER_ONLY, false", "SINGLE_NODE_READER_ONLY, true", "MULTI_NODE_READER_ONLY, false"})
    void aVolumeThatIsOnlyReadIsPublishedReadOnlyAndNotWrittenTo(String mode, boolean block) {
        List<Path> written = new ArrayList<>();
        try (CsiTestDriver driver = start(options -> options)) {
            Ground.Result result = ground.run(
                            Ground.at(Rpc.NODE_UNPUBLISH_VOLUME, true, () -> {
                                Path target = ground.state().resolve("work/volume/pod/target");
                                MountTable.below(target).stream()
                                        .filter(mount -> !mount.readOnly())
                                        .forEach(mount -> written.add(mount.at()));
                            }),
                            block
                                    ? new String[] {"--access-mode", mode, "--block"}
                                    : new String[] {"--access-mode", mode})
                    .is(0);

            assertThat(written).as("mounted for writing").isEmpty();
            assertThat(result.out()).contains("looked into it").doesNotContain("wrote");
            ground.assertClean(driver, mode);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeThatTakesOneVolumeIsNotGivenTwo(boolean block) {
        try (CsiTestDriver driver = start(options -> options.attachLimit(1))) {
            Ground.Result result = (block ? ground.run("--block", "--ephemeral") : ground.run("--ephemeral")).is(0);

            assertThat(result.out()).contains("at most 1 volume", "make room on the node", "wrote and read");
            ground.assertClean(driver, "one volume");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ABORTED", "UNAVAILABLE", "INTERNAL", "UNKNOWN"})
    void whatFailsForAMomentIsRepeated(String code) {
        try (CsiTestDriver driver = start(options -> options)) {
            driver.faults().add("* call=9-12 after " + code + " hiccup");

            Ground.Result result = ground.run().is(0);

            assertThat(result.out()).contains("again in", "hiccup");
            ground.assertClean(driver, code);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SMALLER_THAN_REQUIRED, less than the",
        "NO_CONTENT_SOURCE, content_source is not the source",
        "TOPOLOGY_ELSEWHERE, accessible_topology lies outside"
    })
    void anAnswerThatCannotBeBelievedIsAFailureThatLeavesNothing(Quirk quirk, String why) {
        try (CsiTestDriver driver = start(options -> options.quirk(quirk))) {
            Ground.Result result = ground.run().is(1);

            assertThat(result.out()).contains("NOT CREDIBLE", why, "nothing is left");
            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    @Test
    void aDriverThatMakesTwoVolumesOfOneNameIsFoundOut() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.FRESH_ID_FOR_SAME_NAME))) {
            driver.faults().add("CreateVolume call=1 after UNAVAILABLE");

            assertThat(ground.run().is(1).out()).contains("LEAKED: volume vol-1", "CreateVolume was repeated");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDriverThatGrowsOfflineOnlyIsTakenDownForItWhetherItSaysSoOrNot(boolean says) {
        try (CsiTestDriver driver = start(options -> {
            options.without("expansion.ONLINE").with("expansion.OFFLINE");
            return says ? options : options.quirk(Quirk.NO_PLUGIN_EXPANSION);
        })) {
            Ground.Result result = ground.run().is(0);

            assertThat(result.out()).contains("nothing is left");
            assertThat(driver.inventory().leaks()).isEmpty();
            assertThat(driver.oracle().violations()).hasSize(says ? 0 : 1);
        }
    }

    @Test
    void quirksOfTheFieldThatDoNoHarmAreSurvived() {
        try (CsiTestDriver driver = start(options -> options.quirk(Quirk.EMPTY_PUBLISHED_NODE)
                .quirk(Quirk.PROBE_WITHOUT_READY)
                .quirk(Quirk.GET_OF_UNKNOWN_IS_ABNORMAL)
                .quirk(Quirk.LIST_STALE_TOKEN)
                .quirk(Quirk.METADATA_BREAKS_OFF)
                .with("controller.4711")
                .with("node.4711")
                .snapshotPolls(2)
                .probesUntilReady(1))) {
            ground.run().is(0);
            ground.assertClean(driver, "quirks");
        }
    }

    /** Backends copy a snapshot elsewhere before it is ready, which takes them minutes to hours. */
    @Test
    void aSnapshotThatIsNotReadyForHoursIsWaitedForAsLongAsTheUserSays() {
        RpcObserver anHourForEachSnapshotCall = (rpc, request) -> failure -> {
            if (rpc == Rpc.CREATE_SNAPSHOT) {
                ground.standStill(Duration.ofHours(1));
            }
        };
        try (CsiTestDriver driver = start(options -> options.snapshotPolls(4))) {
            Ground.Result impatient = ground.run(anHourForEachSnapshotCall).is(1);
            assertThat(impatient.out())
                    .contains(
                            "is not ready after 600 s", "give it the time with --snapshot-timeout", "nothing is left");

            ground.run(anHourForEachSnapshotCall, "--snapshot-timeout", "86400").is(0);
            ground.assertClean(driver, "hours");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FRESH_ID_FOR_SAME_NAME, provision/create-again",
        "NON_IDEMPOTENT_UNPUBLISH, use/unpublish-again",
        "NON_IDEMPOTENT_UNPUBLISH, and-back/unstage-again",
        "NON_IDEMPOTENT_UNPUBLISH, and-back/detach-again",
        "NOT_FOUND_ON_REPEATED_DELETE, and-back/delete-again",
        "NOT_FOUND_ON_REPEATED_DELETE, delete-the-snapshot/delete-snapshot-again"
    })
    void aCallThatMayNotBeRepeatedIsFoundOutAndTheRunGoesOn(Quirk quirk, String id) {
        try (CsiTestDriver driver = start(options -> options.quirk(quirk))) {
            Ground.Result result = ground.run().is(1);

            assertThat(result.out()).contains("FAILED: " + id, "nothing is left", "clone");
            assertThat(driver.inventory().leaks()).isEmpty();
        }
    }

    @Test
    void secretsAreSentAndNeverShownOrKept() throws IOException {
        Path secrets = Files.writeString(ground.path().resolve("secrets"), "# for tests\ntoken=hunter2-canary\n");
        try (CsiTestDriver driver = start(options -> options.secret("token", "hunter2-canary"))) {
            driver.faults().add("NodeStageVolume call=1 before UNAVAILABLE the token hunter2-canary has expired");
            Ground.Result result = ground.run("--secrets", secrets.toString()).is(0);

            assertThat(result.out()).doesNotContain("hunter2");
            ground.assertClean(driver, "secrets");

            driver.faults().add("DeleteVolume before UNAVAILABLE");
            ground.run("--secrets", secrets.toString(), "--timeout", "3").is(1);
            assertThat(Files.readString(ground.state().resolve("begun")))
                    .contains("volume.volume.request")
                    .doesNotContain("hunter2");
            driver.faults().clear();
            ground.run("--secrets", secrets.toString(), "--clean").is(0);
            ground.assertClean(driver, "secrets");
        }
    }

    @Test
    void aDriverWithNothingButTheNodeIsTriedWithAnInlineVolume() {
        try (CsiTestDriver driver =
                start(options -> options.switches(Switches.none().with("ephemeral")))) {
            assertThat(ground.run().is(2).out()).contains("error: this driver cannot create volumes", "--ephemeral");
            assertThat(ground.run("--ephemeral").is(0).out()).contains("wrote and read");
            ground.assertClean(driver, "inline only");
        }
    }

    @Test
    void aVolumeThatIsThereAlreadyIsUsedAndStays() {
        try (CsiTestDriver driver = start(
                options -> options.without("controller.CREATE_DELETE_VOLUME").presetVolume("by-hand", 1 << 20))) {
            ground.run("--volume", "by-hand").is(0);

            assertThat(driver.inventory().volumes()).containsExactly("by-hand");
            assertThat(driver.inventory().leaks(List.of("by-hand"))).isEmpty();
            assertThat(driver.oracle().violations()).isEmpty();
        }
    }

    @Test
    void theNodesSideMayListenElsewhere() {
        Path node = ground.path().resolve("node.sock");
        try (CsiTestDriver driver =
                start(options -> options.nodeId("controller").otherNode("node-2", node))) {
            Ground.Result result =
                    ground.run("--node-endpoint", "unix://" + node).is(0);

            assertThat(result.out()).contains(" on node-2");
            ground.assertClean(driver, "two sockets");
        }
    }

    @Test
    void saysInOneLineThatNoProcessListens() {
        assertThat(ground.run("--timeout", "1").is(1).out())
                .contains("error: Probe on unix://" + ground.socket() + ": not sent: no driver listens at");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a file", "a directory", "a directory that others may write"})
    void whatOnlyAPersonCanMendIsNotWaitedFor(String what) throws IOException {
        if (what.equals("a file")) {
            Files.createFile(ground.socket());
        } else if (what.equals("a directory")) {
            Files.createDirectory(ground.socket());
        } else {
            Files.setPosixFilePermissions(ground.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
        }

        assertThat(ground.run("--timeout", "3600").is(1).out())
                .doesNotContain("again in")
                .contains("error: Probe on ", "the path must lead to the driver's socket");
    }

    @ParameterizedTest
    @EnumSource(
            value = Rpc.class,
            names = {"PROBE", "CREATE_VOLUME", "NODE_PUBLISH_VOLUME", "DELETE_VOLUME"})
    void aMachineThatIsTooSlowToSendACallDoesNotBlameTheDriver(Rpc rpc) {
        try (CsiTestDriver driver = start(options -> options)) {
            ground.run(Ground.at(rpc, true, () -> ground.standStill(Duration.ofMinutes(5))))
                    .is(0);
            ground.assertClean(driver, "slow at " + rpc);
        }
    }

    @ParameterizedTest
    @CsvSource({"404", "401", "403"})
    void aServerThatIsNoDriverIsNotWaitedFor(int status) throws IOException {
        try (HttpServerDouble server = HttpServerDouble.at(ground.socket(), status)) {
            assertThat(ground.run("--timeout", "3600").is(1).out())
                    .doesNotContain("again in")
                    .contains("error: Probe on ", "HTTP status code " + status, "does not speak gRPC");
            assertThat(server.answered()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --nonsense             | there is no option --nonsense
            --end-point x          | did you mean --endpoint?
            --size much            | not a size
            --access-mode nonsense | no access mode of CSI
            --parameter x          | KEY=VALUE
            --timeout 0            | needs a positive number
            --endpoint relative    | not a socket endpoint
            --junit /no/such       | --junit: cannot write /no/such: there is no such file or directory
            --json /no/such        | --json: cannot write /no/such: there is no such file or directory
            --badge /no/such       | --badge: cannot write /no/such: there is no such file or directory
            --badge /              | --badge: cannot write /: Is a directory
            """)
    void wrongArgumentsAreToldInOneLine(String line, String why) {
        assertThat(ground.run(line.strip().split(" +")).is(2).out())
                .startsWith("error: ")
                .contains(why)
                .hasLineCount(1);
    }

    @Test
    void helpTellsEveryOptionAndTheExitCodes() {
        assertThat(ground.run("--help").is(0).out())
                .contains("Usage: csi-lifecycle", "--plan", "--state", "--block", "Exit codes:", "130")
                .matches(text -> text.lines().allMatch(line -> line.length() <= 120));
    }

    @Test
    void twoRunsDoNotShareAStateDirectory() {
        try (CsiTestDriver driver = start(options -> options);
                Ledger other = Ledger.open(ground.state())) {
            assertThat(other.isEmpty()).isTrue();
            assertThat(driver.alive()).isTrue();
            assertThat(ground.run().is(2).out()).contains("another run is using");
        }
    }
}
