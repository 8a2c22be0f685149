package io.volume4j.ui;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request for the page with a Host header of the test's choice, which Java's client does not send. */
final class RawRequest {
    private RawRequest() {}

    static int status(URI server, String host) throws IOException {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return Integer.parseInt(line.split(" ")[1]);
        }
    }
}
