package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.DamagedRange;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.journal.ReplayReport;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a start makes of what an earlier run left, whatever became of the journal meanwhile. */
class RecoveryTest {
    private final NodeHarness node = NodeHarness.withMachine(1);
    private final InMemoryMountBackend machine = Objects.requireNonNull(node.machine);

    /** What may have happened to the journal while no agent ran. */
    enum Harm {
        DELETED,
        UNREADABLE,
        BEGINNING_LOST,
        MIDDLE_LOST,
        TRUNCATED,
        EMPTIED,
        GARBAGE;

        void happen(NodeHarness node) {
            if (this == DELETED) {
                node.deleteJournal();
            } else {
                node.harmJournal(this::harmed);
            }
        }

        private Replayed harmed(Replayed whole) {
            List<JournalRecord> records = whole.records();
            int half = records.size() / 2;
            return switch (this) {
                case DELETED -> whole;
                case UNREADABLE -> with(whole, List.of(), List.of(new DamagedRange(8192, 4096, 1, records.size())));
                case BEGINNING_LOST ->
                    with(whole, records.subList(half, records.size()), List.of(new DamagedRange(8192, 512, 1, half)));
                case MIDDLE_LOST -> {
                    List<JournalRecord> left = new ArrayList<>(records);
                    JournalRecord lost = left.remove(half);
                    yield with(whole, left, List.of(new DamagedRange(9000, 100, lost.sequence(), 1)));
                }
                case TRUNCATED -> with(whole, records.subList(0, half), List.of());
                case EMPTIED -> with(whole, List.of(), List.of());
                case GARBAGE -> with(whole, noise(records), List.of());
            };
        }
    }

    private static List<JournalRecord> noise(List<JournalRecord> records) {
        Random random = new Random(7);
        List<JournalRecord> noise = new ArrayList<>();
        for (JournalRecord record : records) {
            byte[] bytes = new byte[record.payload().length];
            random.nextBytes(bytes);
            noise.add(new JournalRecord(record.sequence(), new JournalEntry(record.type(), bytes)));
        }
        return noise;
    }

    private static Replayed with(Replayed replayed, List<JournalRecord> records, List<DamagedRange> damage) {
        ReplayReport report = replayed.report();
        return new Replayed(
                replayed.previous(),
                records,
                new ReplayReport(false, 0, damage, false, report.bootIdChanged(), report.thisBootFrom()));
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void takesBackWithoutACallWhatIsStillWanted(Harm harm) {
        mounted("a", "b");
        List<String> before = node.calls();
        node.kill();
        harm.happen(node);
        node.start().settle();

        assertThat(node.calls()).isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(2);
        assertThat(node.mounted("b").volumes()).hasSize(1);
        goneWithItsPods();
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void takesDownWhatNoPodWantsAnyMore(Harm harm) {
        mounted("a", "b");
        node.kill();
        harm.happen(node);
        node.deletePod("a");
        node.deletePod("b");
        node.start().settle();

        node.nothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void takesDownAVolumeThatWasStagedOnly(Harm harm) {
        node.boundClaim("data");
        node.pod("a", "data");
        node.plugin.faults().add(Fault.on("mount").always().as(FaultKind.TRANSIENT));
        node.start().settle();
        node.kill();
        harm.happen(node);
        node.deletePod("a");
        node.plugin.faults().heal();
        node.start().settle();

        assertThat(node.calls()).contains("unmountDevice h-data n1");
        node.nothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void takesDownAVolumeThatWasAttachedOnly(Harm harm) {
        node.boundClaim("data");
        node.pod("a", "data");
        node.plugin.faults().add(Fault.on("mountDevice").always().as(FaultKind.TRANSIENT));
        node.start().settle();
        node.kill();
        harm.happen(node);
        node.deletePod("a");
        node.plugin.faults().heal();
        node.start().settle();

        node.nothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void reachesWhatIsWantedAfterABootToo(Harm harm) {
        mounted("a", "b");
        node.reboot();
        harm.happen(node);
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(2);
        assertThat(node.mounted("b").volumes()).hasSize(1);
        assertThat(node.calls().stream().filter(call -> call.startsWith("mountDevice")))
                .as("each device is mounted again")
                .hasSize(4);
        goneWithItsPods();
    }

    @ParameterizedTest
    @EnumSource(Harm.class)
    void leavesNothingOfPodsThatWentWithTheBoot(Harm harm) {
        mounted("a", "b");
        node.reboot();
        harm.happen(node);
        node.deletePod("a");
        node.deletePod("b");
        node.start().settle();

        node.nothingIsLeft();
    }

    /** Every row that the journal ever held is lost once, and nothing notices but recovery. */
    @Test
    void missesNoRow() {
        int rows = 1;
        for (int lost = 0; lost < rows; lost++) {
            NodeHarness each = NodeHarness.withMachine(1);
            int index = lost;
            mounted(each, "a", "b");
            each.kill();
            int[] count = {0};
            each.harmJournal(replayed -> {
                List<JournalRecord> left = new ArrayList<>(replayed.records());
                count[0] = left.size();
                left.remove(index);
                return with(replayed, left, List.of());
            });
            each.start().settle();
            rows = count[0];

            assertThat(each.mounted("a").volumes()).as("row %d", lost).hasSize(2);
            each.deletePod("a");
            each.deletePod("b");
            each.settle();
            each.nothingIsLeft();
        }
        assertThat(rows).as("rows").isGreaterThan(8);
    }

    /** A journal of some moment before, as out of a backup: what happened since is on the machine alone. */
    @Test
    void findsWhatAnOlderJournalDoesNotKnow() {
        everyBeginningOfTheJournal(
                (whole, length) -> with(whole, whole.records().subList(0, length), List.of()));
    }

    /** A row that cannot be read may have been the last word on anything before it. */
    @Test
    void takesNothingForCertainThatARowWhichItCannotReadMayHaveChanged() {
        everyBeginningOfTheJournal((whole, length) -> {
            List<JournalRecord> records = new ArrayList<>(whole.records().subList(0, length));
            whole.records().subList(length, whole.records().size()).forEach(record -> records.add(unreadable(record)));
            return with(whole, records, List.of());
        });
    }

    /** As a later release may write them. */
    private static JournalRecord unreadable(JournalRecord record) {
        return new JournalRecord(record.sequence(), new JournalEntry(100, record.payload()));
    }

    private static void everyBeginningOfTheJournal(BiFunction<Replayed, Integer, Replayed> harm) {
        int rows = 1;
        for (int length = 0; length <= rows; length++) {
            for (boolean wanted : new boolean[] {true, false}) {
                NodeHarness each = NodeHarness.withMachine(1);
                int left = length;
                mounted(each, "a", "b");
                List<String> before = each.calls();
                each.kill();
                int[] count = {0};
                each.harmJournal(replayed -> {
                    count[0] = replayed.records().size();
                    return harm.apply(replayed, left);
                });
                if (!wanted) {
                    each.deletePod("a");
                    each.deletePod("b");
                }
                each.start().settle();
                rows = count[0];
                if (wanted) {
                    assertThat(each.mounted("a").volumes()).as("%d rows", left).hasSize(2);
                    assertThat(each.calls().subList(before.size(), each.calls().size()))
                            .as("%d rows", left)
                            .noneMatch(call -> call.startsWith("unmount") || call.startsWith("detach"));
                    each.deletePod("a");
                    each.deletePod("b");
                    each.settle();
                }
                each.nothingIsLeft();
            }
        }
        assertThat(rows).as("rows").isGreaterThan(8);
    }

    /** Journal and metadata files lost: what cannot be named is kept while its pod wants it, and mounted again by its pod. */
    @Test
    void putsANameToWhatItsPodMountsAgain() {
        mounted("a", "b");
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(2);
        assertThat(node.mounted("b").volumes()).hasSize(1);
        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        goneWithItsPods();
    }

    @Test
    void takesDownWhatCannotBeNamed() {
        mounted("a", "b");
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.deletePod("a");
        node.deletePod("b");
        node.start().settle();

        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(machine.violations()).isEmpty();
    }

    /** The files of a secret are in a mount of the plugin, which the path of the pod's mount identifies. */
    @Test
    void takesDownTheFilesOfASecretWhoseRecordsAreLost() {
        SecretRef login = new SecretRef("default", "login");
        node.secrets.put(login, Map.of("user", "ann"));
        node.pluginsAnew(VolumePlugins.defaultPlugins());
        PodVolume volume = new PodVolume("content", new OtherSource("secret", Map.of("secretName", "login")));
        node.cluster.apply(node.pod("a", List.of(volume), Pod.SecurityContext.none()));
        node.start().settle();
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.deletePod("a");
        node.start().settle();

        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(machine.violations()).isEmpty();
    }

    @Test
    void keepsWhatCannotBeNamedUntilThePodsAreKnown() {
        mounted("a");
        node.kill();
        node.deleteJournal();
        node.tearUpCards();
        node.deletePod("a");
        node.cluster.holdNewWatches(true);
        node.cluster.fail(io.volume4j.inmemory.cluster.ClusterFault.on(io.volume4j.inmemory.cluster.ClusterVerb.LIST)
                .always());
        List<String> before = node.leftOnMachine();
        node.start().settle();

        assertThat(node.leftOnMachine()).isEqualTo(before);
    }

    /** The node does not believe the name in a metadata file that was written for another place. */
    @Test
    void believesNoCardOfAnotherPlace() {
        mounted("a");
        node.kill();
        node.deleteJournal();
        RootedPath metadataFile = path("pods/a/volumes/mem/.data");
        byte[] copied = machine.files().read(metadataFile, 1 << 16).orElseThrow();
        node.deletePod("a");
        machine.files().createDirectory(path("pods/b/volumes/mem"), 0750);
        machine.files().writeAtomically(path("pods/b/volumes/mem/.data"), copied, 0600);
        node.start().settle();

        assertThat(node.calls().stream().filter(call -> call.startsWith("unmount ")))
                .hasSize(1);
        node.nothingIsLeft();
    }

    @Test
    void removesEmptyDirectoriesOfPodsThatAreGone() {
        node.start().settle();
        machine.files().createDirectory(path("pods/ghost/volumes/mem"), 0750);
        machine.files().createDirectory(path("pods/ghost2/volumes/mem/data"), 0750);
        node.kill();
        node.start().settle();

        node.nothingIsLeft();
    }

    /** Data of which nothing says whose it is stays; nothing else waits for it. */
    @Test
    void keepsDataThatItCannotName() {
        mounted("a");
        machine.files().createDirectory(path("pods/ghost/volumes/gone~plugin/data"), 0750);
        machine.files().writeAtomically(path("pods/ghost/volumes/gone~plugin/data/precious"), new byte[] {1}, 0600);
        node.kill();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(machine.files().read(path("pods/ghost/volumes/gone~plugin/data/precious"), 8))
                .isPresent();
        assertThat(node.explainPod("ghost").text()).contains("nothing says what volume this was");
    }

    /** Mounts below the root that lie at none of our paths are none of ours. */
    @Test
    void leavesForeignMountsAlone() {
        mounted("a");
        Path foreign = NodeHarness.ROOT.resolve("pods/a/elsewhere/mount");
        machine.files().createDirectory(path("pods/a/elsewhere/mount"), 0750);
        machine.mountForeign(new FilesystemMount("tmpfs", "theirs", false, List.of()), foreign);
        node.kill();
        node.deleteJournal();
        node.deletePod("a");
        node.start().settle();

        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(machine.table().at(foreign)).isPresent();
        assertThat(machine.violations()).isEmpty();
    }

    @Test
    void looksAtNoRootThatCarriesAnotherId() {
        mounted("a");
        node.kill();
        node.deleteJournal();
        node.deletePod("a");
        List<String> before = node.leftOnMachine();
        node.rootId("another");
        node.start().settle();

        assertThat(node.leftOnMachine()).isEqualTo(before);
    }

    /** A kernel may leave a mount out of one reading of its table. */
    @Test
    void believesNoSingleReadingOfTheMountTable() {
        mounted("a");
        List<String> before = node.calls();
        node.kill();
        machine.omitFromNextTable(NodeHarness.ROOT.resolve("pods/a/volumes/mem/data"));
        node.start().settle();

        assertThat(node.calls()).isEqualTo(before);
    }

    @Test
    void mountsAgainWhatAnotherProgramUnmounted() {
        mounted("a");
        node.kill();
        machine.unmountForeign(NodeHarness.ROOT.resolve("pods/a/volumes/mem/data"));
        node.start().settle();

        assertThat(node.calls().stream().filter(call -> call.startsWith("mount ")))
                .hasSize(2);
        assertThat(machine.table().at(NodeHarness.ROOT.resolve("pods/a/volumes/mem/data")))
                .isPresent();
    }

    /** A second crash after a boot must not take for certain what the boot took away. */
    @Test
    void remembersTheBootOverASecondCrash() {
        mounted("a");
        node.reboot();
        node.start();
        node.kill();
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.calls().stream().filter(call -> call.startsWith("mountDevice")))
                .hasSize(2);
    }

    @Test
    void writesWhatItFoundIntoANewJournal() {
        mounted("a", "b");
        node.kill();
        node.deleteJournal();
        node.start().settle();
        node.tearUpCards();
        List<String> before = node.calls();
        node.kill();
        node.start().settle();

        assertThat(node.calls()).as("the journal alone suffices again").isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(2);
    }

    private void mounted(String... pods) {
        mounted(node, pods);
    }

    /** The first pod has two volumes, the others share one of them. */
    private static void mounted(NodeHarness node, String... pods) {
        node.boundClaim("data");
        node.boundClaim("more");
        for (int i = 0; i < pods.length; i++) {
            if (i == 0 && pods.length > 1) {
                node.pod(pods[i], "data", "more");
            } else {
                node.pod(pods[i], "data");
            }
        }
        node.start().settle();
    }

    private void goneWithItsPods() {
        node.deletePod("a");
        node.deletePod("b");
        node.settle();
        node.nothingIsLeft();
    }

    private static RootedPath path(String relative) {
        return RootedPath.of(NodeHarness.ROOT, relative);
    }
}
