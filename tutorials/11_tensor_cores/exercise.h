// Where 16-byte chunk c of row r lies in a tile of 16 rows of 64 bytes: 32 numbers of 16 bits, or 64 of 8.
#pragma once

int place(int row, int chunk); // in bytes from the tile's beginning; 4 chunks in a row
