package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.registry.PluginNames;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginRegistryTest {
    private static final PluginHost HOST =
            DefaultPluginHost.builder(Path.of("/var/lib/volume4j")).build();
    private static final VolumeSpec NFS = spec(new NfsSource("server", "/export", false));

    private final NamedPlugin nfs = new NamedPlugin("kubernetes.io/nfs", "nfs");
    private final NamedPlugin csi = new NamedPlugin("csi.example.com", "csi");

    @Test
    void findsTheOnePluginThatSupportsTheVolume() {
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(nfs, csi)).build();

        assertThat(registry.find(NFS)).isSameAs(nfs);
        assertThat(registry.byName("csi.example.com")).containsSame(csi);
        assertThat(registry.byName("unknown")).isEmpty();
        assertThat(registry.plugins()).extracting(VolumePlugin::name).isSorted();
        assertThat(registry.loadFailure()).isEmpty();
    }

    @Test
    void initialisesEveryPluginOnce() {
        PluginRegistry registry = PluginRegistry.builder(HOST).plugin(nfs).build();
        registry.add(csi);
        registry.find(NFS);

        assertThat(nfs.inits).hasValue(1);
        assertThat(csi.inits).hasValue(1);
    }

    @Test
    void saysWhichPluginsItKnowsWhenNoneMatches() {
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(nfs, csi)).build();

        VolumeException failure = failureOf(registry, spec(new OtherSource("quantumFoam", Map.of())));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure)
                .hasMessageStartingWith("no volume plugin matched volume \"data\" with source \"quantumFoam\";"
                        + " known: csi.example.com, kubernetes.io/nfs");
    }

    @Test
    void namesTheDriverThatIsNotThere() {
        PluginRegistry registry = PluginRegistry.builder(HOST).plugin(nfs).build();

        VolumeException failure = failureOf(registry, spec(CsiSource.of("ebs.csi.aws.com", "vol-1", "", Map.of())));

        assertThat(failure).hasMessageContaining("of driver \"ebs.csi.aws.com\"");
        assertThat(failure.advice()).contains("start the driver ebs.csi.aws.com");
    }

    @Test
    void saysWhereTheExecutableOfAFlexvolumeDriverIsLookedFor() {
        PluginRegistry registry = PluginRegistry.builder(HOST).plugin(nfs).build();

        VolumeException failure =
                failureOf(registry, spec(new FlexVolumeSource("example.com/lvm", "ext4", false, Map.of(), null)));

        assertThat(failure).hasMessageContaining("of driver \"example.com/lvm\"");
        assertThat(failure.advice()).contains("example.com~lvm/lvm").contains("FlexVolumes.start");
    }

    @Test
    void refusesToChooseAmongSeveral() {
        NamedPlugin other = new NamedPlugin("a-nfs", "nfs");
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(nfs, other)).build();

        VolumeException failure = failureOf(registry, NFS);

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageStartingWith("multiple volume plugins matched: a-nfs, kubernetes.io/nfs");
    }

    @Test
    void aPluginThatCannotTellDoesNotHideTheOneThatCan() {
        NamedPlugin broken = new NamedPlugin("broken") {
            @Override
            public boolean supports(VolumeSpec spec) {
                throw new IllegalStateException("bug");
            }
        };
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(broken, nfs)).build();

        assertThat(registry.find(NFS)).isSameAs(nfs);
        assertThat(failureOf(registry, spec(new OtherSource("fc", Map.of()))).getSuppressed())
                .singleElement()
                .satisfies(reason -> assertThat(reason).hasMessageContaining("broken could not tell: bug"));
    }

    @Test
    void aPluginThatCannotTellIsBlamedWhenNoneMatches() {
        NamedPlugin broken = new NamedPlugin("broken.example.com") {
            @Override
            public boolean supports(VolumeSpec spec) {
                throw new AssertionError("bug");
            }
        };
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(broken, nfs)).build();

        VolumeException failure = failureOf(registry, spec(CsiSource.of("broken.example.com", "vol-1", "", Map.of())));

        assertThat(failure).hasMessageContaining("plugin broken.example.com could not tell: bug");
        assertThat(failure.advice()).contains("mend the plugin").doesNotContain("start the driver");
    }

    @Test
    void aPluginOfWhichAClassIsMissingDoesNotHideTheOneThatCan() {
        NamedPlugin broken = new NamedPlugin("broken") {
            @Override
            public boolean supports(VolumeSpec spec) {
                throw new NoClassDefFoundError("com/example/Sdk");
            }
        };
        PluginRegistry registry =
                PluginRegistry.builder(HOST).plugins(List.of(broken, nfs)).build();

        assertThat(registry.find(NFS)).isSameAs(nfs);
        assertThat(failureOf(registry, spec(new OtherSource("fc", Map.of()))).getSuppressed())
                .singleElement()
                .satisfies(reason -> assertThat(reason).hasMessageContaining("com/example/Sdk"));
    }

    @Test
    void loadsTheOthersAndTellsOfAllThatFailed() {
        NamedPlugin failing = new NamedPlugin("failing") {
            @Override
            public void init(PluginHost host) {
                throw new IllegalStateException("no licence");
            }
        };
        NamedPlugin nameless = new NamedPlugin("nameless") {
            @Override
            public String name() {
                throw new IllegalStateException("who am I");
            }
        };
        PluginRegistry registry = PluginRegistry.builder(HOST)
                .plugins(List.of(failing, nfs, new NamedPlugin("No Name"), nameless, new NamedPlugin(nfs.name())))
                .build();

        assertThat(registry.find(NFS)).isSameAs(nfs);
        assertThat(registry.problems()).hasSize(4);
        assertThat(registry.loadFailure())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("4 volume plugin(s)")
                        .hasMessageContaining("no licence")
                        .hasMessageContaining("\"No Name\" is not a valid name")
                        .hasMessageContaining("who am I")
                        .hasMessageContaining("kubernetes.io/nfs: its name is taken"));
        assertThat(failureOf(registry, spec(new OtherSource("fc", Map.of()))))
                .hasMessageContaining("not loaded: failing: volume plugin failing could not start: no licence");
    }

    @Test
    void anExplicitPluginWinsOverADiscoveredOneAndThatOverADefault() {
        NamedPlugin discoveredNfs = new NamedPlugin(nfs.name(), "nfs");
        NamedPlugin discoveredCsi = new NamedPlugin(csi.name(), "csi");
        NamedPlugin defaultCsi = new NamedPlugin(csi.name(), "csi");
        NamedPlugin defaultLoop = new NamedPlugin("loop.volume4j.io");

        PluginRegistry registry = PluginRegistry.builder(HOST)
                .defaults(List.of(defaultCsi, defaultLoop))
                .discovered(DiscoveredPlugins.of(
                        List.<VolumePlugin>of(discoveredNfs, discoveredCsi).iterator()))
                .plugin(nfs)
                .build();

        assertThat(registry.plugins()).containsExactly(discoveredCsi, nfs, defaultLoop);
        assertThat(registry.problems()).isEmpty();
        assertThat(discoveredNfs.inits).hasValue(0);
        assertThat(defaultCsi.inits).hasValue(0);
    }

    @Test
    void aFailedExplicitPluginIsNotQuietlyReplaced() {
        NamedPlugin failing = new NamedPlugin(nfs.name()) {
            @Override
            public void init(PluginHost host) {
                throw new IllegalStateException("broken");
            }
        };

        PluginRegistry registry = PluginRegistry.builder(HOST)
                .plugin(failing)
                .defaults(List.of(nfs))
                .build();

        assertThat(registry.plugins()).isEmpty();
        assertThat(registry.problems()).hasSize(1);
    }

    @Test
    void goesOnAfterAProviderThatCannotBeMade() {
        Iterator<VolumePlugin> providers = new Iterator<>() {
            private int position;

            @Override
            public boolean hasNext() {
                return position < 4;
            }

            @Override
            public VolumePlugin next() {
                return switch (position++) {
                    case 0 -> throw new ServiceConfigurationError("provider X could not be instantiated");
                    case 1 -> nfs;
                    case 2 -> throw new UnsupportedClassVersionError("Y was made for a later Java");
                    case 3 -> csi;
                    default -> throw new NoSuchElementException();
                };
            }
        };

        PluginRegistry registry = PluginRegistry.builder(HOST)
                .discovered(DiscoveredPlugins.of(providers))
                .build();

        assertThat(registry.plugins()).containsExactly(csi, nfs);
        assertThat(registry.problems())
                .extracting(Object::toString)
                .containsExactly(
                        "ServiceLoader: provider X could not be instantiated",
                        "ServiceLoader: Y was made for a later Java");
    }

    /** Its class file says that it is of a Java that is not there yet, as when it was compiled for a later one. */
    @Test
    void tellsOfAProviderThatWasMadeForALaterJava(@TempDir Path jar) throws IOException {
        String late = "io.example.LatePlugin";
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(VolumePlugin.class.getName()), late + "\n");
        Path code = Files.createDirectories(jar.resolve("io/example")).resolve("LatePlugin.class");
        Files.write(code, new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 1, 0, 0, 0});
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader())) {
            PluginRegistry registry =
                    PluginRegistry.builder(HOST).discover(loader).build();

            assertThat(registry.problems()).singleElement().asString().contains("LatePlugin");
        }
    }

    @Test
    void givesUpOnAPathThatNeverStopsFailing() {
        Iterator<VolumePlugin> hopeless = new Iterator<>() {
            @Override
            public boolean hasNext() {
                throw new ServiceConfigurationError("unreadable");
            }

            @Override
            public VolumePlugin next() {
                throw new NoSuchElementException();
            }
        };

        assertThat(DiscoveredPlugins.of(hopeless).problems()).hasSize(100);
    }

    @Test
    void discoversThroughTheClassLoaderWithoutFailing() {
        PluginRegistry registry = PluginRegistry.builder(HOST)
                .discover(PluginRegistryTest.class.getClassLoader())
                .build();

        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void tellsListenersOfEveryChangeAfterItCanBeSeen() {
        PluginRegistry registry = PluginRegistry.builder(HOST).build();
        List<String> heard = new ArrayList<>();
        PluginListener listener =
                name -> heard.add(name + (registry.byName(name).isPresent() ? " there" : " gone"));
        registry.addListener(name -> {
            throw new IllegalStateException("a bad listener harms no other listener");
        });
        registry.addListener(listener);

        registry.add(csi);
        registry.replace(new NamedPlugin(csi.name(), "csi"));
        assertThat(registry.remove(csi.name())).isTrue();
        assertThat(registry.remove(csi.name())).isFalse();
        registry.removeListener(listener);
        registry.add(nfs);

        assertThat(heard).containsExactly("csi.example.com there", "csi.example.com there", "csi.example.com gone");
    }

    @Test
    void addingRefusesTakenAndInvalidNamesAndKeepsTheOldPlugin() {
        PluginRegistry registry = PluginRegistry.builder(HOST).plugin(nfs).build();

        assertThatThrownBy(() -> registry.add(new NamedPlugin(nfs.name())))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("there already");
        assertThatThrownBy(() -> registry.add(new NamedPlugin("../x")))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("is not a valid name");
        assertThatThrownBy(() -> registry.replace(new NamedPlugin(nfs.name()) {
                    @Override
                    public void init(PluginHost host) {
                        throw new IllegalStateException("broken");
                    }
                }))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("could not start: broken");
        assertThat(registry.plugins()).containsExactly(nfs);
    }

    @Test
    void initialisesWithoutALockSoThatOthersGoOn() throws InterruptedException {
        PluginRegistry registry = PluginRegistry.builder(HOST).build();
        CountDownLatch initialising = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread slow = new Thread(() -> registry.add(new NamedPlugin("slow") {
            @Override
            public void init(PluginHost host) {
                initialising.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }));
        slow.start();
        initialising.await();

        registry.add(nfs);
        assertThat(registry.plugins()).containsExactly(nfs);
        assertThatThrownBy(() -> registry.add(new NamedPlugin("slow"))).hasMessageContaining("being added already");

        mayEnd.countDown();
        slow.join();
        assertThat(registry.plugins()).extracting(VolumePlugin::name).containsExactly("kubernetes.io/nfs", "slow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mem", "loop.volume4j.io", "kubernetes.io/nfs", "kubernetes.io/host-path", "A_b.c"})
    void acceptsNamesThatAreOneDirectory(String name) {
        assertThat(PluginNames.valid(name)).isTrue();
        assertThat(PluginNames.directory(name)).doesNotContain("/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "a/",
                "/a",
                "a/b/c",
                "..",
                "a..b",
                ".a",
                "a.",
                "-a",
                "a b",
                "a\nb",
                "a~b",
                "Kubernetes.io/nfs",
                "a%b"
            })
    void refusesNamesThatAreNot(String name) {
        assertThat(PluginNames.valid(name)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "rbd, refused by design, rbd.csi.ceph.com",
        "cephfs, refused by design, cephfs.csi.ceph.com",
        "glusterfs, refused by design, NFS",
        "quobyte, refused by design, csi.quobyte.com",
        "flocker, refused by design, has ended",
        "photonPersistentDisk, refused by design, has ended",
        "scaleIO, refused by design, csi-vxflexos.dellemc.com",
        "gitRepo, refused by design, init container",
        "awsElasticBlockStore, needs CSI translation to driver, ebs.csi.aws.com",
        "gcePersistentDisk, needs CSI translation to driver, pd.csi.storage.gke.io",
        "cinder, needs CSI translation to driver, cinder.csi.openstack.org",
        "azureDisk, needs CSI translation to driver, disk.csi.azure.com",
        "azureFile, needs CSI translation to driver, file.csi.azure.com",
        "vsphereVolume, needs CSI translation to driver, csi.vsphere.vmware.com",
        "portworxVolume, needs CSI translation to driver, pxd.portworx.com",
    })
    void namesTheWayForSourcesThatNoPluginWillMount(String type, String why, String way) {
        VolumeException failure =
                failureOf(PluginRegistry.builder(HOST).build(), spec(new OtherSource(type, Map.of())));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.getMessage()).contains("\"data\": " + type, why, way).doesNotContain("\n");
    }

    @Test
    void aPluginOfTheHostMayTakeARefusedSourceAllTheSame() {
        NamedPlugin rbd = new NamedPlugin("example.com/rbd", "rbd");

        assertThat(PluginRegistry.builder(HOST).plugin(rbd).build().find(spec(new OtherSource("rbd", Map.of()))))
                .isSameAs(rbd);
    }

    private static VolumeException failureOf(PluginRegistry registry, VolumeSpec spec) {
        return catchThrowableOfType(VolumeException.class, () -> registry.find(spec));
    }

    private static VolumeSpec spec(VolumeSource source) {
        return new VolumeSpec("data", source, null, false);
    }
}
