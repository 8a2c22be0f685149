package io.volume4j.core.node.recover;

import static io.volume4j.core.node.recover.Remains.DATA;
import static io.volume4j.core.node.recover.Remains.MORE;
import static io.volume4j.core.node.recover.Remains.at;
import static io.volume4j.core.node.recover.Remains.attachedOnly;
import static io.volume4j.core.node.recover.Remains.mount;
import static io.volume4j.core.node.recover.Remains.row;
import static io.volume4j.core.node.recover.Remains.staged;
import static io.volume4j.core.node.recover.Remains.stagedRaw;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start concludes from journal, mount table, directories and metadata files together. */
class MachineRemainsTest {
    private static final MountRow MOUNT = mount(DATA, "a", "data");
    private static final RootedPath MOUNT_POINT = at("pods/a/volumes/mem/data");

    private final Remains remains = new Remains();

    private static InMemoryPluginBuilder mem() {
        return InMemoryPlugin.builder(InMemoryStorage.create());
    }

    private static MountRow unidentified(String plugin, String pod, String outerName, boolean block) {
        return new MountRow(
                UnidentifiedMount.ofPod(plugin, pod, outerName),
                pod,
                "",
                pod,
                outerName,
                block,
                MountState.UNCERTAIN,
                false,
                false,
                PluginState.none());
    }

    private boolean there(String path) {
        return remains.machine.files().status(at(path)).isPresent();
    }

    // ---- what the journal says, held against the mount table

    @Test
    void whatTheJournalSaysAndTheKernelShowsIsCertain() {
        remains.rows(row(staged(DATA)), row(stagedRaw(MORE)), row(MOUNT))
                .mounted(remains.layout.deviceMount(DATA))
                .mounted(remains.layout.rawDevice(MORE))
                .mounted(MOUNT_POINT);

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(staged(DATA), stagedRaw(MORE));
        assertThat(found.mounts()).containsExactly(MOUNT);
        assertThat(found.journalOutdated()).isFalse();
    }

    @Test
    void whatTwoReadingsOfTheMountTableDoNotShowIsUncertain() {
        remains.rows(row(staged(DATA)), row(stagedRaw(MORE)), row(MOUNT));

        StateReconstruction found = remains.found();

        assertThat(found.volumes())
                .containsExactly(
                        staged(DATA).withDevice(MountState.UNCERTAIN),
                        stagedRaw(MORE).withDevice(MountState.UNCERTAIN));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN));
    }

    @Test
    void oneReadingOfTheMountTableProvesNoAbsence() {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .mounted(remains.layout.deviceMount(DATA))
                .mounted(MOUNT_POINT);
        remains.machine.omitFromNextTable(remains.layout.deviceMount(DATA).absolute());
        remains.machine.omitFromNextTable(MOUNT_POINT.absolute());

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(staged(DATA));
        assertThat(found.mounts()).containsExactly(MOUNT);
    }

    /** Some backends show no mount at the path: then its absence in the table says nothing. */
    @Test
    void whatNeverShowedInTheMountTableIsNotMissedThere() {
        VolumeRow unseen = staged(DATA).deviceMounted(false, PluginState.none(), null);
        MountRow unseenMount = MOUNT.mounted(false, PluginState.none());
        remains.rows(row(unseen), row(unseenMount));

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(unseen);
        assertThat(found.mounts()).containsExactly(unseenMount);
    }

    @Test
    void whatTheJournalCallsAbsentIsNotMissed() {
        MountRow undone = MOUNT.withState(MountState.UNCERTAIN);
        remains.rows(row(attachedOnly(DATA)), row(undone));

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(attachedOnly(DATA));
        assertThat(found.mounts()).containsExactly(undone);
    }

    /** A row of an older journal that a mounted device contradicts. */
    @Test
    void aDeviceThatIsMountedAgainstTheJournalsWordIsUncertain() {
        remains.rows(row(attachedOnly(DATA))).mounted(remains.layout.deviceMount(DATA));

        StateReconstruction found = remains.found();

        assertThat(found.volumes())
                .containsExactly(
                        attachedOnly(DATA).withDevice(MountState.UNCERTAIN).withAttach(AttachState.UNCERTAIN));
        assertThat(found.journalOutdated()).isTrue();
    }

    @Test
    void aDamagedJournalsWordHoldsWhereTheMachineConfirmsItByAMetadataFile() {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .damagedAt(3, 1)
                .mounted(remains.layout.deviceMount(DATA))
                .metadataFile(staged(DATA), "boot")
                .mounted(MOUNT_POINT)
                .metadataFile(MOUNT, "boot");

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(staged(DATA));
        assertThat(found.mounts()).containsExactly(MOUNT);
    }

    @Test
    void aDamagedJournalsWordIsUncertainWhereNothingConfirmsIt() {
        remains.rows(row(staged(DATA)), row(MOUNT)).damagedAt(3, 1);

        StateReconstruction found = remains.found();

        assertThat(found.volumes())
                .containsExactly(staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN));
    }

    // ---- pods' mounts that the journal does not know

    @Test
    void aMountIsWhatTheMetadataFileBesideItSays() {
        remains.newJournal().plugin(mem().build()).mounted(MOUNT_POINT).metadataFile(MOUNT, "boot");

        StateReconstruction found = remains.found();

        assertThat(found.mounts()).containsExactly(MOUNT);
        assertThat(found.journalOutdated()).isTrue();
        assertThat(found.rows()).isEqualTo(2);
    }

    @Test
    void aMetadataFileOfAnEarlierBootNamesTheVolumeAndProvesNothing() {
        remains.newJournal().mounted(MOUNT_POINT).metadataFile(MOUNT, "earlier");

        assertThat(remains.found().mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN));
    }

    @Test
    void aMetadataFileWithoutItsMountNamesTheVolumeAndProvesNothing() {
        remains.newJournal().metadataFile(MOUNT, "boot");

        assertThat(remains.found().mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN));
    }

    @Test
    void aMetadataFileOfWhatNeverShowedInTheMountTableProvesIt() {
        MountRow unseen = MOUNT.mounted(false, PluginState.none());
        remains.newJournal().metadataFile(unseen, "boot");

        assertThat(remains.found().mounts()).containsExactly(unseen);
    }

    /** A metadata file is written before its mount, when nothing is certain yet. */
    @Test
    void aMetadataFileThatAnnouncesAMountProvesNone() {
        MountRow announced = MOUNT.withState(MountState.UNCERTAIN);
        remains.newJournal().mounted(MOUNT_POINT).metadataFile(announced, "boot");

        assertThat(remains.found().mounts()).containsExactly(announced);
    }

    @Test
    void aMetadataFileThatSpeaksOfAnotherPlaceIsNotBelieved() {
        remains.newJournal().mounted(MOUNT_POINT).metadataFile(MOUNT, "boot").directory("pods/b/volumes/mem");
        byte[] copied = remains.machine
                .files()
                .read(at("pods/a/volumes/mem/.data"), 1 << 16)
                .orElseThrow();
        remains.write("pods/b/volumes/mem/.data", copied);

        assertThat(remains.found().mounts()).containsExactly(MOUNT, unidentified("mem", "b", "data", false));
    }

    @Test
    void aMetadataFileOfALaterVersionWithAnUnknownStateNamesNothingAndTheStartGoesOn() {
        remains.newJournal()
                .plugin(mem().build())
                .mounted(MOUNT_POINT)
                .metadataFile(MOUNT, "boot")
                .ofLaterVersion(remains.layout.podMetadataFile(MOUNT))
                .mounted(remains.layout.deviceMount(MORE))
                .metadataFile(staged(MORE), "boot")
                .ofLaterVersion(remains.layout.deviceMetadataFile(MORE));
        VolumeId unnamed = UnidentifiedMount.ofDevice("mem", NodeLayout.deviceName(MORE));

        StateReconstruction found = remains.found();

        assertThat(found.mounts()).containsExactly(unidentified("mem", "a", "data", false));
        assertThat(found.volumes())
                .contains(VolumeRow.unknown(unnamed, unnamed.name(), false).withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aRawDeviceIsFoundWhereDevicesLie() {
        MountRow raw = new MountRow(
                DATA, "a", "ns", "pod-a", "data", true, MountState.MOUNTED, true, false, PluginState.none());
        remains.newJournal()
                .mounted(at("pods/a/volumeDevices/mem/data"))
                .metadataFile(raw, "boot")
                .mounted(at("pods/b/volumeDevices/mem/data"));

        assertThat(remains.found().mounts()).containsExactly(raw, unidentified("mem", "b", "data", true));
    }

    @Test
    void aPluginNamesItsPodsVolumesByTheirPath() {
        VolumeId named = VolumeId.ofPod("example.com/dirs", "scratch", "a");
        VolumePlugin dirs = new VolumePlugin() {
            @Override
            public String name() {
                return "example.com/dirs";
            }

            @Override
            public boolean supports(VolumeSpec spec) {
                return false;
            }

            @Override
            public String volumeName(VolumeSpec spec) {
                return "";
            }

            @Override
            public Optional<VolumeId> identify(String podUid, String outerName) {
                return Optional.of(VolumeId.ofPod(name(), outerName, podUid));
            }
        };
        remains.newJournal().plugin(dirs).directory("pods/a/volumes/example.com~dirs/scratch");

        StateReconstruction found = remains.found();

        MountRow blank = unidentified("example.com/dirs", "a", "scratch", false);
        assertThat(found.mounts())
                .containsExactly(new MountRow(
                        named, "a", "", "a", "scratch", false, MountState.UNCERTAIN, false, false, blank.data()));
        assertThat(found.volumes())
                .as("a plugin that neither attaches nor stages")
                .containsExactly(VolumeRow.unknown(named, "scratch", false));
    }

    /** Whether its plugin is registered or not. */
    @Test
    void whatNoPluginNamesIsUnidentified() {
        remains.newJournal()
                .plugin(mem().build())
                .mounted(at("pods/a/volumes/mem/data"))
                .mounted(at("pods/a/volumes/example.com~gone/data"));

        StateReconstruction found = remains.found();

        assertThat(found.mounts())
                .containsExactlyInAnyOrder(
                        unidentified("mem", "a", "data", false), unidentified("example.com/gone", "a", "data", false));
        assertThat(found.volumes())
                .as("nothing can be taken down that has no name")
                .containsExactlyInAnyOrder(
                        VolumeRow.unknown(UnidentifiedMount.ofPod("mem", "a", "data"), "data", false),
                        VolumeRow.unknown(UnidentifiedMount.ofPod("example.com/gone", "a", "data"), "data", false));
    }

    @Test
    void aPathThatIsNoNameOfAVolumeIsLeftAlone() {
        remains.newJournal().directory("pods/a/volumes/mem/..double");

        assertThat(remains.found().mounts()).isEmpty();
        assertThat(there("pods/a/volumes/mem/..double")).isTrue();
    }

    @Test
    void foreignMountsBelowTheRootAreLeftAlone() {
        remains.newJournal()
                .mounted(at("pods/a"))
                .mounted(at("plugins/mem/other/x/mount"))
                .mounted(at("pods/a/elsewhere/mem/data"))
                .mounted(at("plugins/mem/devices/" + NodeLayout.deviceName(DATA)));

        StateReconstruction found = remains.found();

        assertThat(found.mounts()).isEmpty();
        assertThat(found.volumes()).isEmpty();
    }

    // ---- parts of volumes for single containers

    @Test
    void partsOfAVolumeThatIsKnownAreNoVolumeOfTheirOwn() {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .damagedAt(3, 1)
                .mounted(remains.layout.deviceMount(DATA))
                .metadataFile(staged(DATA), "boot")
                .mounted(MOUNT_POINT)
                .metadataFile(MOUNT, "boot")
                .mounted(at("pods/a/volume-subpaths/data/main/0"));

        assertThat(remains.found().mounts()).containsExactly(MOUNT);
    }

    @Test
    void partsOfAVolumeThatIsFoundAreNoVolumeOfTheirOwn() {
        remains.newJournal()
                .mounted(MOUNT_POINT)
                .metadataFile(MOUNT, "boot")
                .mounted(at("pods/a/volume-subpaths/data/main/0"));

        assertThat(remains.found().mounts()).containsExactly(MOUNT);
    }

    @Test
    void partsWithoutTheirVolumeAreTakenDownWithAnUnidentifiedOne() {
        remains.newJournal()
                .mounted(at("pods/a/volume-subpaths/data/main/0"))
                .directory("pods/b/volume-subpaths/logs/main");

        StateReconstruction found = remains.found();

        assertThat(found.mounts())
                .containsExactly(
                        unidentified("volume4j.io/unknown", "a", "data", false),
                        unidentified("volume4j.io/unknown", "b", "logs", false));
        assertThat(there("pods/b/volume-subpaths/logs/main")).isTrue();
    }

    // ---- devices that the journal does not know

    @Test
    void aDeviceIsWhatTheMetadataFileBesideItSays() {
        remains.newJournal().mounted(remains.layout.deviceMount(DATA)).metadataFile(staged(DATA), "boot");

        StateReconstruction found = remains.found();

        assertThat(found.volumes()).containsExactly(staged(DATA));
        assertThat(found.journalOutdated()).isTrue();
    }

    @Test
    void aMetadataFileOfAnEarlierBootNamesTheDeviceAndProvesNothing() {
        remains.newJournal().mounted(remains.layout.deviceMount(DATA)).metadataFile(staged(DATA), "earlier");

        assertThat(remains.found().volumes())
                .containsExactly(staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aMetadataFileThatTheMountTableContradictsProvesNothingOfTheDevice() {
        remains.newJournal()
                .metadataFile(staged(DATA), "boot")
                .metadataFile(attachedOnly(MORE), "boot")
                .mounted(remains.layout.deviceMount(MORE));

        assertThat(remains.found().volumes())
                .containsExactlyInAnyOrder(
                        staged(DATA).withDevice(MountState.UNCERTAIN),
                        attachedOnly(MORE).withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aMetadataFileOfWhatNeverShowedInTheMountTableProvesTheDevice() {
        VolumeRow unseen = staged(DATA).deviceMounted(false, PluginState.none(), null);
        remains.newJournal().metadataFile(unseen, "boot").metadataFile(attachedOnly(MORE), "boot");

        assertThat(remains.found().volumes()).containsExactlyInAnyOrder(unseen, attachedOnly(MORE));
    }

    @Test
    void aDeviceWithoutAMetadataFileIsNamedByAMountOfItsVolume() {
        remains.rows(row(MOUNT))
                .damagedAt(2, 1)
                .mounted(MOUNT_POINT)
                .metadataFile(MOUNT, "boot")
                .mounted(remains.layout.deviceMount(DATA));

        StateReconstruction found = remains.found();

        assertThat(found.mounts()).containsExactly(MOUNT);
        assertThat(found.volumes())
                .containsExactly(VolumeRow.unknown(DATA, "h-data", false)
                        .withAttach(AttachState.UNCERTAIN)
                        .withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aDeviceOfWhichNothingSaysWhatItIsIsUnidentified() {
        remains.newJournal().mounted(remains.layout.deviceMount(DATA));
        VolumeId unnamed = UnidentifiedMount.ofDevice("mem", NodeLayout.deviceName(DATA));

        assertThat(remains.found().volumes())
                .containsExactly(
                        VolumeRow.unknown(unnamed, unnamed.name(), false).withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aMetadataFileOfAnotherDeviceIsNotBelieved() {
        remains.newJournal()
                .metadataFile(staged(DATA), "boot")
                .directory("plugins/mem/devices/" + NodeLayout.deviceName(MORE));
        byte[] copied = remains.machine
                .files()
                .read(remains.layout.deviceMetadataFile(DATA), 1 << 16)
                .orElseThrow();
        remains.write("plugins/mem/devices/" + NodeLayout.deviceName(MORE) + "/volume", copied);
        VolumeId unnamed = UnidentifiedMount.ofDevice("mem", NodeLayout.deviceName(MORE));

        assertThat(remains.found().volumes())
                .containsExactlyInAnyOrder(
                        staged(DATA).withDevice(MountState.UNCERTAIN),
                        VolumeRow.unknown(unnamed, unnamed.name(), false).withDevice(MountState.UNCERTAIN));
    }

    @Test
    void aLoopDeviceShowsWhereAVolumeIs() {
        remains.newJournal().directory("pods/a/volumeDevices/mem").directory("plugins/mem/devices/x");
        remains.machine.files().createSparseFile(at("pods/a/volumeDevices/mem/data"), 4096, 0600);
        remains.machine.loops().attach(at("pods/a/volumeDevices/mem/data"), false);

        assertThat(remains.found().mounts()).containsExactly(unidentified("mem", "a", "data", true));
    }

    // ---- formats whose end the journal lost

    @Test
    void aFormatIsOpenUntilTheMachineShowsItsDeviceMounted() {
        VolumeRow formatting = staged(DATA).withDevice(MountState.UNCERTAIN);
        remains.rows(row(formatting), formatBegun(DATA)).metadataFile(formatting, "boot");
        assertThat(remains.found().formats()).containsOnlyKeys(DATA);

        remains.mounted(remains.layout.deviceMount(DATA));
        StateReconstruction found = remains.found();
        assertThat(found.formats()).isEmpty();
        assertThat(found.journalOutdated()).isTrue();
    }

    @Test
    void aFormatIsOverIfAMetadataFileSaysThatItsDeviceWasMounted() {
        remains.rows(row(staged(DATA).withDevice(MountState.UNCERTAIN)), formatBegun(DATA), formatBegun(MORE))
                .metadataFile(staged(DATA), "earlier");

        StateReconstruction found = remains.found();

        assertThat(found.formats()).containsOnlyKeys(MORE);
        assertThat(found.journalOutdated()).isTrue();
    }

    private static JournalEntry formatBegun(VolumeId id) {
        return RowCodec.formatBegun(id, new OpenFormat(new DeviceIdentity("serial", 1 << 30), "ext4", "zero"));
    }

    // ---- volumes of which only a mount is known

    @Test
    void whatAPluginCannotDoIsNotToBeUndone() {
        VolumeId attaches = VolumeId.shared("attaches", "v");
        VolumeId stages = VolumeId.shared("stages", "v");
        VolumeId maps = VolumeId.shared("maps", "v");
        VolumeId binds = VolumeId.shared("binds", "v");
        VolumeId gone = VolumeId.shared("gone", "v");
        for (VolumeId id : new VolumeId[] {attaches, stages, maps, binds, gone}) {
            MountRow row = mount(id, id.plugin(), "data");
            remains.rows(row(row)).mounted(remains.layout.podMount(row));
        }
        remains.plugin(mem().name("attaches")
                        .without(Capability.DEVICE_MOUNT, Capability.BLOCK)
                        .build())
                .plugin(mem().name("stages")
                        .without(Capability.ATTACH, Capability.BLOCK)
                        .build())
                .plugin(mem().name("maps")
                        .without(Capability.ATTACH, Capability.DEVICE_MOUNT)
                        .build())
                .plugin(mem().name("binds")
                        .without(Capability.ATTACH, Capability.DEVICE_MOUNT, Capability.BLOCK)
                        .build());

        assertThat(remains.found().volumes())
                .containsExactly(
                        VolumeRow.unknown(attaches, "data", false).withAttach(AttachState.UNCERTAIN),
                        VolumeRow.unknown(stages, "data", false).withDevice(MountState.UNCERTAIN),
                        VolumeRow.unknown(maps, "data", false).withDevice(MountState.UNCERTAIN),
                        VolumeRow.unknown(binds, "data", false),
                        VolumeRow.unknown(gone, "data", false)
                                .withAttach(AttachState.UNCERTAIN)
                                .withDevice(MountState.UNCERTAIN));
    }

    // ---- directories

    @Test
    void emptyDirectoriesThatACrashLeftAreRemoved() {
        remains.newJournal()
                .directory("pods/a/volumes/mem")
                .directory("pods/a/volumeDevices/mem")
                .directory("pods/b")
                .directory("plugins/mem/devices/" + NodeLayout.deviceName(DATA));

        StateReconstruction found = remains.found();

        assertThat(found.mounts()).isEmpty();
        assertThat(found.volumes()).isEmpty();
        assertThat(there("pods/a")).isFalse();
        assertThat(there("pods/b")).isFalse();
        assertThat(there("plugins/mem/devices/" + NodeLayout.deviceName(DATA))).isFalse();
        assertThat(there("plugins/mem/devices")).isTrue();
    }

    @Test
    void directoriesBesideOnesInUseAreRemovedAlone() {
        remains.newJournal()
                .directory("pods/a/volumes/mem/data")
                .directory("pods/a/volumes/empty")
                .directory("pods/a/volumeDevices");

        assertThat(remains.found().mounts()).containsExactly(unidentified("mem", "a", "data", false));
        assertThat(there("pods/a/volumes/mem/data")).isTrue();
        assertThat(there("pods/a/volumes/empty")).isFalse();
        assertThat(there("pods/a/volumeDevices")).isFalse();
    }

    /** Looking into each would make the start of a node with many pods slow. */
    @Test
    void directoriesOfPodsThatAWholeJournalNamesAreNotLookedInto() {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .mounted(remains.layout.deviceMount(DATA))
                .mounted(MOUNT_POINT)
                .directory("pods/a/volumes/other/more")
                .directory("pods/b/volumes/other/more");

        assertThat(remains.found().mounts()).containsExactly(MOUNT, unidentified("other", "b", "more", false));
    }

    /** Their mounts are: the mount table is read anyway. Only what lies at a path of the layout is of the library. */
    @ParameterizedTest
    @CsvSource({
        "pods/a/volumes/other/more, other/more",
        "pods/a/volumes/other/more/nested/deep, other/more",
        "pods/a/volumeDevices/other/more, other/more",
        "pods/a/volume-subpaths/logs/main/0, volume4j.io~unknown/logs",
        "pods/a/volume-subpaths/logs, volume4j.io~unknown/logs",
        "pods/a/volume-subpaths, -",
        "pods/a/volumes/other, -",
        "pods/a/volumes, -",
        "pods/a, -",
        "pods, -",
        "pods/a/elsewhere/other/more, -",
        "pods/a/devices/other/more, -",
        "other/a/volumes/other/more, -",
        "other/a/volume-subpaths/logs, -",
    })
    void aMountOfSuchAPodIsFoundWhereVolumesLie(String mount, String found) {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .mounted(remains.layout.deviceMount(DATA))
                .mounted(MOUNT_POINT)
                .mounted(at(mount));

        List<String> others = remains.found().mounts().stream()
                .filter(row -> !row.equals(MOUNT))
                .map(row -> NodeLayout.fileName(row.id().plugin()) + "/" + row.outerName())
                .toList();

        assertThat(others).isEqualTo(found.equals("-") ? List.of() : List.of(found));
    }

    @ParameterizedTest
    @CsvSource({
        "plugins/other/devices/x/mount, other x",
        "plugins/other/devices/x/staging/deep, other x",
        "plugins/other/devices/x, -",
        "plugins/other/devices, -",
        "plugins/other/elsewhere/x/mount, -",
        "pods/other/devices/x/mount, -",
        "other/other/devices/x/mount, -",
    })
    void aMountIsFoundAlsoWhereDirectoriesCannotBeRead(String mount, String found) {
        remains.newJournal().mounted(at(mount));
        remains.machine.faults().add(Fault.on("list").always().as(FaultKind.TRANSIENT));

        List<String> devices = remains.found().volumes().stream()
                .map(row -> row.id().plugin() + " " + NodeLayout.deviceName(row.id()))
                .toList();

        assertThat(devices).isEqualTo(found.equals("-") ? List.of() : List.of(found));
    }

    @Test
    void aLoopDeviceIsFoundAlsoWhereDirectoriesCannotBeRead() {
        remains.newJournal().directory("pods/a/volumeDevices/mem");
        remains.machine.files().createSparseFile(at("pods/a/volumeDevices/mem/data"), 4096, 0600);
        remains.machine.loops().attach(at("pods/a/volumeDevices/mem/data"), false);
        remains.machine.faults().add(Fault.on("list").always().as(FaultKind.TRANSIENT));

        assertThat(remains.found().mounts()).containsExactly(unidentified("mem", "a", "data", true));
    }

    @Test
    void devicesOfOneNameAndPartsOfOnePodAreToldApart() {
        remains.newJournal()
                .mounted(at("plugins/one/devices/x/mount"))
                .mounted(at("plugins/two/devices/x/mount"))
                .mounted(at("plugins/two/devices/y/mount"))
                .mounted(at("pods/a/volume-subpaths/data/main/0"))
                .mounted(at("pods/a/volume-subpaths/logs/main/0"))
                .mounted(at("pods/b/volume-subpaths/logs/main/0"));

        StateReconstruction found = remains.found();

        assertThat(found.volumes().stream()
                        .filter(row -> row.device() == MountState.UNCERTAIN)
                        .map(row -> row.id().plugin() + " " + NodeLayout.deviceName(row.id())))
                .containsExactly("one x", "two x", "two y");
        assertThat(found.mounts().stream().map(row -> row.podUid() + " " + row.outerName()))
                .containsExactly("a data", "a logs", "b logs");
    }

    @Test
    void directoriesOfAllPodsAreLookedIntoWhereTheJournalIsDamaged() {
        remains.rows(row(staged(DATA)), row(MOUNT))
                .damagedAt(1, 1)
                .mounted(MOUNT_POINT)
                .directory("pods/a/volumes/other/more");

        assertThat(remains.found().mounts()).containsExactly(MOUNT, unidentified("other", "a", "more", false));
    }

    @Test
    void aDirectoryThatCannotBeReadIsNeitherEmptyNorInTheWay() {
        remains.newJournal().directory("pods/a/volumes/mem/data").directory("pods/b/volumes/mem/data");
        remains.machine
                .faults()
                .add(Fault.on("list")
                        .of(at("pods/a/volumes/mem").toString())
                        .always()
                        .as(FaultKind.TRANSIENT));

        assertThat(remains.found().mounts()).containsExactly(unidentified("mem", "b", "data", false));
        assertThat(there("pods/a/volumes/mem/data")).isTrue();
    }

    @Test
    void aRootThatCarriesAnotherIdIsNotLookedAt() {
        remains.newJournal()
                .mounted(MOUNT_POINT)
                .directory("pods/b/volumes/mem")
                .mounted(remains.layout.deviceMount(DATA));

        StateReconstruction found = remains.found("another");

        assertThat(found.mounts()).isEmpty();
        assertThat(found.volumes()).isEmpty();
        assertThat(there("pods/b/volumes/mem")).isTrue();
    }
}
