package io.volume4j.examples.etcd;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Ports of loopback for a server that is told its port, and that listens on it again after a crash. They lie below the range from
 * which the kernel takes the ports of outgoing connections and of servers that take any port. In that range another connection of the
 * tests can get the port before the server binds it.
 */
final class FreePorts {
    private static final int FIRST = 10_000;
    private static final Path KERNEL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    private FreePorts() {}

    /** Ports that are free now; all of them are different. */
    static List<Integer> find(int count) throws IOException {
        int end = firstOutgoing();
        if (end <= FIRST) {
            throw new IOException("no port between " + FIRST + " and the first port of outgoing connections, " + end);
        }
        SplittableRandom random = new SplittableRandom();
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                try {
                    held.add(new ServerSocket(random.nextInt(FIRST, end), 1, InetAddress.getLoopbackAddress()));
                } catch (IOException taken) {
                    if (attempt > 1_000) {
                        throw taken;
                    }
                }
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket each : held) {
                each.close();
            }
        }
    }

    /** Reads by a reader, because the kernel gives such a file whole or not at all, and the JDK reads a file of no size by the byte. */
    private static int firstOutgoing() throws IOException {
        try (BufferedReader range = Files.newBufferedReader(KERNEL_RANGE)) {
            return Integer.parseInt(range.readLine().trim().split("\\s+")[0]);
        }
    }
}
