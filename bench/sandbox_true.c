/* The smallest program: what remains of a measurement is the cost of starting it. */
int main(void)
{
    return 0;
}
