package io.volume4j.examples.agent.hosts;

import io.volume4j.core.codec.Manifests;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three members of etcd, two controllers, some nodes, and storage that all nodes reach. It must run in a network, a mount and a PID
 * namespace of its own, which take down with them whatever is left.
 *
 * <p>Nodes keep their volumes under leases. All but the last one have a watchdog: a pipe whose reader switches the machine off, and on
 * again, when it is not fed.
 */
final class Hosts implements AutoCloseable {
    static final String DRIVER = "shared.csi.volume4j.io";
    static final int LEASE = 30;
    private static final int TIME_TO_FENCE = 4;
    private static final int WATCHDOG = 3;
    private static final String DISK = "8m";

    final List<Host> members = new ArrayList<>();
    final List<Host> controllers = new ArrayList<>();
    final List<Host> nodes = new ArrayList<>();
    final CsiTestDriver driver;
    final EtcdCluster cluster;
    private final EtcdClient etcd;
    private final Path directory;
    private final boolean watchdogsAct;
    private final Path clocks;
    private final List<PipeWatchdog> watchdogs = new ArrayList<>();

    /** @param watchdogsAct false: they are armed and never reset their machine, which makes a lie of the nodes' leases */
    Hosts(Path directory, int nodeCount, boolean watchdogsAct) throws IOException, InterruptedException {
        this.directory = directory;
        this.watchdogsAct = watchdogsAct;
        clocks = WallClock.library(directory);
        Host.run("mount", "--bind", directory.toString(), directory.toString());
        Host.run("mount", "--make-shared", directory.toString());
        Host.run("ip", "link", "set", "lo", "up");
        Host.run("ip", "link", "add", "hub", "type", "bridge");
        Host.run("ip", "address", "add", "198.18.0.1/24", "dev", "hub");
        Host.run("ip", "link", "set", "hub", "up");
        driver = CsiTestDriver.start(driver(nodeCount));
        for (int i = 1; i <= 3; i++) {
            members.add(member(i));
        }
        for (int i = 1; i <= 2; i++) {
            controllers.add(agent("c" + i, "198.18.0.2" + i, controller(), host -> {}));
        }
        for (int i = 1; i <= nodeCount; i++) {
            nodes.add(node(i, i < nodeCount));
        }
        for (Host each : all().toList()) {
            each.boot();
            each.supervise();
        }
        etcd = EtcdClient.builder()
                .endpoints(members.stream()
                        .map(each -> URI.create(client(each.address())))
                        .toList())
                .build();
        cluster = EtcdCluster.builder(etcd).build();
    }

    Stream<Host> all() {
        return Stream.of(members, controllers, nodes).flatMap(List::stream);
    }

    /** What the driver keeps of its volumes and snapshots, each in a directory of its name. */
    Path storage() {
        return directory.resolve("storage/contents");
    }

    /** Where the node's pods find their volumes. */
    Path root(Host node) {
        return node.directory.resolve("root");
    }

    /** Takes all the room of the node's disk, or gives it back. */
    void fill(Host node, boolean full) throws IOException {
        Path filler = node.directory.resolve("root/filler");
        if (!full) {
            Files.deleteIfExists(filler);
            return;
        }
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException ends) {
            if (Files.getFileStore(filler).getUsableSpace() > 0) {
                throw ends;
            }
        }
    }

    void create(String manifest) {
        for (ApiObject object : Manifests.read("workload", manifest)) {
            untilDone(() -> {
                try {
                    cluster.create(object);
                } catch (ClusterException failed) {
                    if (failed.reason() != ClusterException.Reason.ALREADY_EXISTS) {
                        throw failed;
                    }
                }
            });
        }
    }

    void delete(ObjectKey key) {
        untilDone(() -> cluster.delete(key, Preconditions.none()));
    }

    Optional<ApiObject> read(ObjectKey key) {
        List<ApiObject> found = new ArrayList<>();
        untilDone(() -> cluster.readLive(key).ifPresent(found::add));
        return found.stream().findFirst();
    }

    /** A member may be away, or the members may elect. */
    void untilDone(Runnable call) {
        for (int tries = 1; ; tries++) {
            try {
                call.run();
                return;
            } catch (ClusterException failed) {
                if (failed.reason() == ClusterException.Reason.NOT_FOUND) {
                    return;
                }
                if (tries == 60) {
                    throw failed;
                }
                Nemesis.pause(1);
            }
        }
    }

    /** Starts what has ended, on machines that are on. */
    void supervise() throws IOException {
        for (Host each : all().toList()) {
            each.supervise();
        }
    }

    private DriverOptions driver(int nodeCount) throws IOException {
        DriverOptions.Builder options = DriverOptions.at(made("csi").resolve("csi.sock"))
                .name(DRIVER)
                .nodeId("none")
                .stateDirectory(made("storage"))
                .registrationDirectory(made("registration"));
        for (int i = 1; i <= nodeCount; i++) {
            options.otherNode("n" + i, made("n" + i + "/csi").resolve("csi.sock"));
        }
        return options.build();
    }

    private Path made(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    private static String client(String address) {
        return "http://" + address + ":2379";
    }

    private static String peers() {
        return Stream.of(1, 2, 3)
                .map(i -> "e" + i + "=http://198.18.0.1" + i + ":2380")
                .collect(Collectors.joining(","));
    }

    private Host member(int i) throws IOException {
        String address = "198.18.0.1" + i;
        List<String> command = List.of(
                "etcd",
                "--name=e" + i,
                "--data-dir=" + made("e" + i).resolve("data"),
                "--listen-client-urls=" + client(address),
                "--advertise-client-urls=" + client(address),
                "--listen-peer-urls=http://" + address + ":2380",
                "--initial-advertise-peer-urls=http://" + address + ":2380",
                "--initial-cluster=" + peers(),
                "--heartbeat-interval=200",
                "--election-timeout=2000");
        return new Host("e" + i, address, made("e" + i), command, null, host -> {});
    }

    /** A host whose program has a wall clock of its own. */
    private Host agent(String name, String address, List<String> program, Host.Setup setup) throws IOException {
        WallClock clock = new WallClock(clocks, made(name).resolve("wall-clock"));
        return new Host(name, address, made(name), clock.around(program), clock, setup);
    }

    private static List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.volume4j.examples.agent.Agent"));
        command.addAll(List.of(words));
        command.add("--etcd");
        command.add(Stream.of(1, 2, 3).map(i -> client("198.18.0.1" + i)).collect(Collectors.joining(",")));
        return command;
    }

    private List<String> controller() {
        return command("controllers", "--csi", DRIVER + "=unix://" + directory.resolve("csi/csi.sock"));
    }

    private Host node(int i, boolean watchdog) throws IOException, InterruptedException {
        String name = "n" + i;
        Path home = made(name);
        // a disk of its own, which outlives the machine's memory
        Host.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "mode=755,size=" + DISK,
                "disk",
                made(name + "/root").toString());
        List<String> words = new ArrayList<>(List.of(
                "node",
                "--name",
                name,
                "--root",
                home.resolve("root").toString(),
                "--attach",
                "controller",
                "--csi-registration",
                directory.resolve("registration").toString(),
                "--node-lease",
                Integer.toString(LEASE),
                "--time-to-fence",
                Integer.toString(TIME_TO_FENCE)));
        if (watchdog) {
            words.addAll(List.of("--watchdog", home.resolve("watchdog0").toString()));
        }
        Host host = agent(name, "198.18.0.3" + i, command(words.toArray(String[]::new)), each -> {
            // the driver's own socket is where it registers; each node finds its own there
            each.inside(
                    "mount",
                    "--bind",
                    home.resolve("csi").toString(),
                    directory.resolve("csi").toString());
            each.inside("mount", "--bind", home.resolve("class").toString(), "/sys/class");
        });
        Path driverOfWatchdog = made(name + "/class/watchdog/watchdog0");
        Files.writeString(driverOfWatchdog.resolve("timeout"), Integer.toString(WATCHDOG));
        Files.writeString(driverOfWatchdog.resolve("options"), "0x100");
        if (watchdog) {
            watchdogs.add(new PipeWatchdog(home.resolve("watchdog0"), WATCHDOG, () -> reset(host)));
        }
        return host;
    }

    /** What was mounted there is gone with the machine's memory. */
    private void reset(Host host) {
        if (!watchdogsAct) {
            return;
        }
        try {
            System.out.println("watchdog: resets " + host.name);
            host.powerOff();
            driver.reboot(host.name);
            host.boot();
        } catch (IOException | InterruptedException failed) {
            failed.printStackTrace(System.out);
        }
    }

    @Override
    public void close() {
        etcd.close();
        watchdogs.forEach(PipeWatchdog::close);
        for (Host each : all().toList()) {
            try {
                each.powerOff();
            } catch (IOException failed) {
                failed.printStackTrace(System.out);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        driver.close();
    }
}
