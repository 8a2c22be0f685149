package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    @Test
    void noOutgoingConnectionGetsAPortThatWasFound() throws Exception {
        List<Integer> found = FreePorts.find(500);
        Set<Integer> taken = new HashSet<>();
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 2_000; i++) {
                try (Socket outgoing = new Socket(server.getInetAddress(), server.getLocalPort());
                        Socket incoming = server.accept()) {
                    taken.add(outgoing.getLocalPort());
                    taken.add(incoming.getPort());
                }
            }
        }

        assertThat(found).doesNotHaveDuplicates().hasSize(500).doesNotContainAnyElementsOf(taken);
    }
}
