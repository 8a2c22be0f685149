package io.volume4j.core.plugins.san;

import com.google.common.net.InetAddresses;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A valid address of a target. Pure.
 *
 * @param host a name or an address, IPv6 without brackets
 */
record IscsiPortal(String host, int port) {
    private static final int DEFAULT_PORT = 3260;
    private static final int HIGHEST_PORT = 65_535;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_](?:[-A-Za-z0-9_.]{0,252}[A-Za-z0-9_])?");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** Parses {@code host}, {@code host:port}, {@code [IPv6]} or {@code [IPv6]:port}. */
    static IscsiPortal parse(String text) {
        String host = text;
        String port = "";
        int bracket = text.indexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            host = text.substring(1, bracket);
            port = text.substring(bracket + 1);
        } else if (!isIpv6(text) && text.indexOf(':') >= 0) {
            host = text.substring(0, text.indexOf(':'));
            port = text.substring(text.indexOf(':'));
        }
        boolean fits =
                isIpv6(host) || (!text.startsWith("[") && NAME.matcher(host).matches());
        if (!fits || !(port.isEmpty() || (port.startsWith(":") && isPort(port.substring(1))))) {
            throw VolumeException.finalFailure("iscsi portal " + MessageText.text(text)
                    + " is not host:port (an IPv6 address must be in brackets)");
        }
        return new IscsiPortal(
                host.toLowerCase(Locale.ROOT), port.isEmpty() ? DEFAULT_PORT : Integer.parseInt(port.substring(1)));
    }

    private static boolean isIpv6(String text) {
        return text.indexOf(':') >= 0 && InetAddresses.isInetAddress(text);
    }

    private static boolean isPort(String text) {
        return PORT.matcher(text).matches() && Integer.parseInt(text) > 0 && Integer.parseInt(text) <= HIGHEST_PORT;
    }

    /** Whether these are the same, in any notation of an address. */
    boolean is(String otherHost, String otherPort) {
        boolean addresses = InetAddresses.isInetAddress(host) && InetAddresses.isInetAddress(otherHost);
        boolean sameHost = addresses
                ? InetAddresses.forString(host).equals(InetAddresses.forString(otherHost))
                : host.equalsIgnoreCase(otherHost);
        return sameHost && otherPort.equals(Integer.toString(port));
    }

    /** The portal's name in open-iscsi's records: an IPv6 address has no brackets there. */
    String recordName() {
        return host + "," + port;
    }

    /** The notation of the command line, which {@link #parse} reads too. */
    @Override
    public String toString() {
        return (isIpv6(host) ? "[" + host + "]" : host) + ":" + port;
    }
}
