package io.volume4j.inmemory.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.mount.InMemoryFixture;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Mounter.MountResult;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract finds plugins that lose data, keep it, or let pods write that must not. */
class WrongPluginsTest {
    private enum Fault {
        NONE,
        WRITES_READ_ONLY,
        EMPTIES_AT_A_REPEATED_CALL,
        DELETES_NOTHING
    }

    @Test
    void aRightPluginPasses() {
        run(Fault.NONE, PluginContract::aPodThatAloneHasTheVolumeReadOnlyDoesNotWrite);
        run(Fault.NONE, PluginContract::provisioningAgainKeepsTheContent);
        run(Fault.NONE, PluginContract::noPodGetsTheContentOfADeletedVolume);
    }

    @Test
    void aPluginThatMountsWritableWhatIsReadOnlyIsFound() {
        assertThatThrownBy(() ->
                        run(Fault.WRITES_READ_ONLY, PluginContract::aPodThatAloneHasTheVolumeReadOnlyDoesNotWrite))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a pod wrote to a volume that it has read-only");
    }

    @Test
    void aPluginThatEmptiesAVolumeThatItProvisionsAgainIsFound() {
        assertThatThrownBy(
                        () -> run(Fault.EMPTIES_AT_A_REPEATED_CALL, PluginContract::provisioningAgainKeepsTheContent))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the volume was emptied by a repeated provision");
    }

    @Test
    void aPluginThatDeletesNothingIsFound() {
        assertThatThrownBy(() -> run(Fault.DELETES_NOTHING, PluginContract::noPodGetsTheContentOfADeletedVolume))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is still there");
    }

    private interface Check {
        void of(PluginContract contract);
    }

    private static void run(Fault fault, Check check) {
        Contract contract = new Contract(fault);
        contract.makeRoot();
        check.of(contract);
        contract.leaveNothing();
    }

    private static final class Contract extends PluginContract {
        private final Fault fault;

        Contract(Fault fault) {
            this.fault = fault;
        }

        @Override
        protected PluginUnderTest subject() {
            BackendFixture machine = new InMemoryFixture();
            return new PluginUnderTest() {
                @Override
                public VolumePlugin newPlugin() {
                    return new Directories(fault);
                }

                @Override
                public BackendFixture machine() {
                    return machine;
                }
            };
        }
    }

    /**
     * Each volume is a directory, bound into its pods. As strict as a plugin may be: refuses the calls for a deleted
     * volume, and the state of a mount that is gone.
     */
    private static final class Directories implements VolumePlugin {
        private final Fault fault;
        private @Nullable PluginHost host;

        Directories(Fault fault) {
            this.fault = fault;
        }

        @Override
        public String name() {
            return "directory.example.com";
        }

        @Override
        public void init(PluginHost given) {
            host = given;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return true;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return ((CsiSource) spec.source()).volumeHandle();
        }

        @Override
        public Optional<Provisioner> provisioner(StorageClass storageClass) {
            return Optional.of((request, context) -> {
                RootedPath directory = directory(request.volumeName());
                if (fault == Fault.EMPTIES_AT_A_REPEATED_CALL) {
                    machine().files().removeTree(directory, context);
                }
                machine().files().createDirectory(directory, 0777);
                return ProvisionResult.of(
                        CsiSource.of(name(), request.volumeName(), "", Map.of()), request.requestedBytes());
            });
        }

        @Override
        public Optional<Deleter> deleter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                if (fault != Fault.DELETES_NOTHING) {
                    machine().files().removeTree(directory(volumeName(spec)), context);
                }
            });
        }

        @Override
        public Optional<Attacher> attacher(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                existing(request.volume());
                return AttachResult.at("");
            });
        }

        @Override
        public Optional<Detacher> detacher(VolumeId volume) {
            return Optional.of((request, context) -> existing(volume));
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                RootedPath directory = existing(request.volume());
                Path target = request.target().absolute();
                if (!request.state().isEmpty() && machine().table().at(target).isEmpty()) {
                    throw VolumeException.finalFailure("the state of a mount that is gone");
                }
                boolean onlyRead = request.readOnly() && fault != Fault.WRITES_READ_ONLY;
                machine().files().createDirectory(request.target(), 0750);
                machine()
                        .bind(directory, request.target(), onlyRead ? BindOptions.onlyRead() : BindOptions.readWrite());
                return MountResult.mounted(new PluginState(1, Map.of("mounted", "yes")));
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((request, context) -> {
                machine().unmount(request.target(), UnmountMode.NORMAL);
                machine().files().removeDirectory(request.target());
            });
        }

        private RootedPath existing(VolumeId volume) {
            RootedPath directory = directory(volume.name());
            if (machine().files().status(directory).isEmpty()) {
                throw VolumeException.finalFailure("volume " + volume + " does not exist");
            }
            return directory;
        }

        private RootedPath directory(String volumeName) {
            Path own = host().root().relativize(host().pluginDirectory(name()));
            return new RootedPath(host().root(), own.resolve(volumeName));
        }

        private MountBackend machine() {
            return host().mounts().orElseThrow();
        }

        private PluginHost host() {
            return Objects.requireNonNull(host, "not registered yet");
        }
    }
}
